import { guardedRole, trustedRole } from '@prismapi/core/database/session'
import { literal, quoted, quotedTable } from '@prismapi/core/database/tables'
import type { ModelMeta, RelationMeta } from '@prismapi/jsonapi/model/meta'
import { isForEverybody, ruledSql } from './callers.ts'
import { type Making, madeNow, parentHolds, rowKey, seeingFunction } from './making.ts'
import type { KeyRules, RowRules, Ruled } from './row-rules.ts'

/**
 * A trigger for what the policies of a table cannot say, because each sees a row before or after a change, but never
 * both: a caller who may link a row and not update it changes one of its keys, and only what moves with that key. The
 * trigger also notes which rows the transaction wrote that its caller may not see.
 */
export function guardTrigger(rules: RowRules, making: Making): readonly string[] {
  const { model, keys, select } = rules
  const isSeenByAll = isForEverybody(select, making.everybody)
  if (isSeenByAll && keys.size === 0) return []
  const work = quoted(`prismapi_guard_${model.name}`)
  const sql = (ruled: readonly Ruled[], side: string) =>
    ruledSql(ruled, { ...making, place: { model, side, isInside: false } })
  const same = [...keys.keys()].map((via) => isSame(keyOf(model, model.relations[via] as RelationMeta)))
  const linking = [...keys].map(([via, key]) => `      AND ${linked(via, key)}`)

  function linked(via: string, key: KeyRules): string {
    const relation = model.relations[via] as RelationMeta
    const columns = keyOf(model, relation)
    const holds = (side: string) => `${isNull(columns, side)} OR ${sql(parentHolds(via, key.parent), side)}`
    return `(${isSame(columns)} OR ((${holds('OLD')}) AND (${holds('NEW')} OR ${isMade(relation)})))`
  }

  function isMade(relation: RelationMeta): string {
    const parent = making.resources.models[relation.model] as ModelMeta
    const references = relation.foreignKey?.references.map((name) => quoted(parent.columns[name]?.column ?? name)) ?? []
    const pairs = references.map((column, i) => `r.${column} = NEW.${keyOf(model, relation)[i]}`)
    const made = madeNow({ model: parent, side: 'r', isInside: false })
    return `EXISTS (SELECT 1 FROM ${quotedTable(parent)} r WHERE ${pairs.join(' AND ')} AND ${made})`
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
      AND NOT (${same.join(' AND ')})
${linking.join('\n')}
    , false) THEN
      RAISE EXCEPTION 'row of ${model.table} violates row-level security: its caller may not update it' USING ERRCODE = '42501';
    END IF;${notedLink(model)}
  END IF;`
  const remember = isSeenByAll
    ? ''
    : `
  IF (${sql(select, 'NEW')}) IS NOT TRUE AND (TG_OP = 'UPDATE' OR NOT ${isTaken(model)}) THEN
    ${noted('written', rowKey({ model, side: 'NEW', isInside: false }))}
  END IF;`
  return [
    ...(isSeenByAll ? [] : takenFunction(model)),
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

/** Adds a row to a list that ends with the transaction. */
const noted = (list: 'written' | 'linked', row: string): string =>
  `PERFORM set_config('prismapi.${list}', concat(current_setting('prismapi.${list}', true), ' ', ${row}), true);`

/** The transaction only linked this row and did not create it: the caller may not write the row's own relations. */
const notedLink = (model: ModelMeta): string => `
    IF NOT EXISTS (SELECT 1 FROM ${quotedTable(model)} r WHERE ${isRow(model, 'r', 'OLD')} AND ${madeNow({ model, side: 'r', isInside: false })}) THEN
      ${noted('linked', rowKey({ model, side: 'OLD', isInside: false }))}
    END IF;`

const keyColumns = (model: ModelMeta): readonly string[] =>
  model.key.map((name) => quoted(model.columns[name]?.column ?? name))

const isRow = (model: ModelMeta, side: string, other: string): string =>
  keyColumns(model)
    .map((column) => `${side}.${column} = ${other}.${column}`)
    .join(' AND ')

/** An INSERT may meet a row that has its key, and leave that one as it is: it has written nothing then. */
const takenName = ({ name }: ModelMeta): string => `prismapi_taken_${name}`

const isTaken = (model: ModelMeta): string =>
  `(${quoted(takenName(model))}(${keyColumns(model)
    .map((column) => `NEW.${column}`)
    .join(', ')}) AND NOT EXISTS (SELECT 1 FROM ${quotedTable(model)} r WHERE ${isRow(model, 'r', 'NEW')}))`

function takenFunction(model: ModelMeta): readonly string[] {
  const columns = model.key.map((name) => model.columns[name]?.column ?? name)
  const isIt = columns.map((column, i) => `r.${quoted(column)} = $${i + 1}`).join(' AND ')
  const body = `EXISTS (SELECT 1 FROM ${quotedTable(model)} r WHERE ${isIt})`
  return seeingFunction(takenName(model), model, columns, body)
}

const isSame = (columns: readonly string[]): string =>
  columns.map((column) => `NEW.${column} IS NOT DISTINCT FROM OLD.${column}`).join(' AND ')

const columnsOf = (model: ModelMeta, { foreignKey }: RelationMeta): readonly string[] =>
  (foreignKey?.columns ?? []).map((name) => model.columns[name]?.column ?? name)

const keyOf = (model: ModelMeta, relation: RelationMeta): readonly string[] => columnsOf(model, relation).map(quoted)

const isNull = (columns: readonly string[], side: string): string =>
  columns.map((column) => `${side}.${column} IS NULL`).join(' OR ')
