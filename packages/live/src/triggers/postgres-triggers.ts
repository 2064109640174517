import { literal, quoted, quotedTable } from '@prismapi/core/database/tables'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { LoggedTable } from './logged-tables.ts'

/**
 * A function and a trigger for each table, and one for `TRUNCATE`. The functions have the rights of the role that
 * creates them, and use the tables of the schema in which the migration runs.
 */
export const postgresTriggers = (tables: readonly LoggedTable[]): readonly string[] => [
  truncated,
  ...tables.flatMap(triggersOf),
]

const head = 'RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$'
const columns = '"transaction", "at", "model", "key", "action", "before", "after", "request", "user"'
/** The request and its user, which the framework names to the transaction where it writes. */
const who = `nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), '')`
const now = `pg_current_xact_id()::text::bigint, clock_timestamp()`

const truncated = `CREATE OR REPLACE FUNCTION "prismapi_truncated"() ${head}
BEGIN
  INSERT INTO "Change" (${columns})
  VALUES (${now}, TG_ARGV[0], '', 'truncate', NULL, NULL, ${who});
  RETURN NULL;
END $$;`

function triggersOf(logged: LoggedTable): readonly string[] {
  const { name, shown } = logged
  const on = quotedTable(logged)
  const work = quoted(`prismapi_${name}`)
  const insert = (action: string, key: string, before: string, after: string) =>
    `INSERT INTO "Change" (${columns})
    VALUES (${now}, ${literal(name)}, ${key}, ${action}, ${before}, ${after}, ${who});`
  return [
    `CREATE OR REPLACE FUNCTION ${work}() ${head}
DECLARE
  was jsonb; now_is jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${insert(`'create'`, keyOf(logged, 'NEW'), 'NULL', object(shown, 'NEW'))}
  ELSIF TG_OP = 'DELETE' THEN
    ${insert(`'delete'`, keyOf(logged, 'OLD'), object(shown, 'OLD'), 'NULL')}
  ELSIF to_jsonb(OLD) <> to_jsonb(NEW) THEN
    IF ${keyOf(logged, 'OLD')} <> ${keyOf(logged, 'NEW')} THEN
      ${insert(`'delete'`, keyOf(logged, 'OLD'), 'NULL', 'NULL')}
    END IF;
    was := ${object(shown, 'OLD')};
    now_is := ${object(shown, 'NEW')};
    ${insert(`'update'`, keyOf(logged, 'NEW'), changed('was', 'now_is'), changed('now_is', 'was'))}
  END IF;
  RETURN NULL;
END $$;`,
    `CREATE OR REPLACE TRIGGER "prismapi_change" AFTER INSERT OR UPDATE OR DELETE ON ${on}
  FOR EACH ROW EXECUTE FUNCTION ${work}();`,
    `CREATE OR REPLACE TRIGGER "prismapi_truncated" AFTER TRUNCATE ON ${on}
  FOR EACH STATEMENT EXECUTE FUNCTION "prismapi_truncated"(${literal(name)});`,
  ]
}

/** As a text; several columns as an array of texts. */
function keyOf({ key }: LoggedTable, row: 'OLD' | 'NEW'): string {
  const parts = key.map((column) => `${row}.${quoted(column)}::text`)
  if (parts.length === 0) return `''`
  return parts.length === 1 ? (parts[0] as string) : `jsonb_build_array(${parts.join(', ')})::text`
}

/** Functions have 100 parameters at most. */
const most = 50

function object(shown: readonly ColumnMeta[], row: 'OLD' | 'NEW'): string {
  if (shown.length === 0) return 'NULL'
  const pairs = shown.map((column) => `${literal(column.name)}, ${value(column, row)}`)
  const parts = Array.from({ length: Math.ceil(pairs.length / most) }, (_, i) => pairs.slice(i * most, (i + 1) * most))
  return parts.map((some) => `jsonb_build_object(${some.join(', ')})`).join(' || ')
}

/** Numbers that JavaScript cannot hold are texts. */
function value({ column, type, isList }: ColumnMeta, row: 'OLD' | 'NEW'): string {
  const own = `${row}.${quoted(column)}`
  if (type === 'BigInt' || type === 'Decimal') return isList ? `${own}::text[]` : `${own}::text`
  return type === 'Bytes' && !isList ? `encode(${own}, 'hex')` : own
}

const changed = (all: string, other: string): string =>
  `(SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(${all}) each WHERE each.value IS DISTINCT FROM ${other} -> each.key)`
