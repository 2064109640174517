import { literal, quoted, quotedTable } from '../../database/quoted.ts'
import { guardedRole } from '../../database/session.ts'
import type { ModelMeta, RelationMeta } from '../../model/meta.ts'
import { isForEverybody, ruledSql } from './callers.ts'
import { madeNow } from './made-now.ts'
import { type Making, trustedRole } from './making.ts'
import { parentHolds, rowKey } from './row-key.ts'
import type { KeyRules, RowRules, Ruled } from './row-rules.ts'

/**
 * What policies of a table cannot say, because each of them sees a row before or after a change, and never both: who may not
 * update a row, and may link it, changes its key alone. And which rows the transaction wrote that its caller may not see.
 */
export function guardTrigger(rules: RowRules, making: Making): readonly string[] {
  const { model, keys, select } = rules
  const isSeenByAll = isForEverybody(select, making.everybody)
  if (isSeenByAll && keys.size === 0) return []
  const work = quoted(`prismapi_guard_${model.name}`)
  const sql = (ruled: readonly Ruled[], side: string) =>
    ruledSql(ruled, { ...making, place: { model, side, isInside: false } })
  const linking = [...keys].map(([via, key]) => `      AND ${linked(via, key)}`)

  function linked(via: string, key: KeyRules): string {
    const relation = model.relations[via] as RelationMeta
    const columns = keyOf(model, relation)
    const isSame = columns.map((column) => `NEW.${column} IS NOT DISTINCT FROM OLD.${column}`).join(' AND ')
    const holds = (side: string) => `${isNull(columns, side)} OR ${sql(parentHolds(via, key), side)}`
    return `(${isSame} OR ((${holds('OLD')}) AND (${holds('NEW')} OR ${isMade(relation)})))`
  }

  function isMade(relation: RelationMeta): string {
    const parent = making.resources.models[relation.model] as ModelMeta
    const references = relation.foreignKey?.references.map((name) => quoted(parent.columns[name]?.column ?? name)) ?? []
    const pairs = references.map((column, i) => `r.${column} = NEW.${keyOf(model, relation)[i]}`)
    return `EXISTS (SELECT 1 FROM ${quotedTable(parent)} r WHERE ${pairs.join(' AND ')} AND ${madeNow('r')})`
  }

  const touched = [...keys.keys()].flatMap((via) => columnsOf(model, model.relations[via] as RelationMeta))
  const stamps = Object.values(model.columns).filter(({ isUpdatedAt, isVersion }) => isUpdatedAt || isVersion)
  const rest = literal(
    `{${[...touched, ...stamps.map(({ column }) => column)].map((name) => JSON.stringify(name)).join()}}`,
  )
  const check =
    keys.size === 0
      ? ''
      : `
  IF TG_OP = 'UPDATE' AND (${sql(rules.update, 'OLD')}) IS NOT TRUE THEN
    IF NOT coalesce(
      to_jsonb(NEW) - ${rest}::text[] = to_jsonb(OLD) - ${rest}::text[]
${linking.join('\n')}
    , false) THEN
      RAISE EXCEPTION 'row of ${model.table} violates row-level security: its caller may not update it' USING ERRCODE = '42501';
    END IF;
  END IF;`
  const remember = isSeenByAll
    ? ''
    : `
  IF (${sql(select, 'NEW')}) IS NOT TRUE THEN
    PERFORM set_config('prismapi.written', concat(current_setting('prismapi.written', true), ' ', ${rowKey({ model, side: 'NEW', isInside: false })}), true);
  END IF;`
  return [
    `CREATE OR REPLACE FUNCTION ${work}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF pg_has_role(current_user, '${trustedRole}', 'usage') OR NOT pg_has_role(current_user, '${guardedRole}', 'usage') THEN
    RETURN NEW;
  END IF;${check}${remember}
  RETURN NEW;
END $$;`,
    `CREATE TRIGGER prismapi_guard BEFORE INSERT OR UPDATE ON ${quotedTable(model)}
  FOR EACH ROW EXECUTE FUNCTION ${work}();`,
  ]
}

const columnsOf = (model: ModelMeta, { foreignKey }: RelationMeta): readonly string[] =>
  (foreignKey?.columns ?? []).map((name) => model.columns[name]?.column ?? name)

const keyOf = (model: ModelMeta, relation: RelationMeta): readonly string[] => columnsOf(model, relation).map(quoted)

const isNull = (columns: readonly string[], side: string): string =>
  columns.map((column) => `${side}.${column} IS NULL`).join(' OR ')
