import type { Statement, Stored } from '../database.ts'
import { foreignKeyText } from '../foreign-key.ts'

// What only the database knows of its tables.

// RETURNING tells what triggers before a change have made of a row, and nothing of those after it. The framework's own change none.
const triggered = `select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and t.tgtype & 2 = 0 and not starts_with(t.tgname, 'prismapi_')
  union select tablename from pg_rules`

// Foreign keys that refuse rows: PostgreSQL 18 knows some that do not, and whoever disables the triggers of a table disables its keys.
const foreign = `select s.nspname, c.relname, r.nspname, f.relname,
    (select json_agg(json_build_array(own.attname, other.attname))::text
      from unnest(k.conkey, k.confkey) as pair(own, other)
      join pg_attribute own on own.attrelid = c.oid and own.attnum = pair.own
      join pg_attribute other on other.attrelid = f.oid and other.attnum = pair.other)
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid join pg_namespace s on s.oid = c.relnamespace
  join pg_class f on f.oid = k.confrelid join pg_namespace r on r.oid = f.relnamespace
  where k.contype = 'f' and to_jsonb(k)->>'conenforced' is distinct from 'false'
    and not exists (select from pg_trigger t where t.tgconstraint = k.oid and t.tgenabled = 'D')`

/** How long what was found is taken for true: a migration seldom changes it beside servers that run. */
const keptMilliseconds = 60_000

/** The tables of any schema with triggers that may change a row after a statement has written it. */
export const postgresTriggers = (prepare: Prepare): (() => Promise<ReadonlySet<string>>) =>
  kept(prepare(triggered), (rows) => new Set(rows.map(([name]) => String(name))))

/** The foreign keys of all schemas, by `foreignKeyText`. */
export const postgresForeignKeys = (prepare: Prepare): (() => Promise<ReadonlySet<string>>) =>
  kept(prepare(foreign), (rows) => new Set(rows.map(foreignKeyIn)))

const foreignKeyIn = ([schema, table, otherSchema, other, pairs]: Stored): string =>
  foreignKeyText({
    from: { dbSchema: String(schema), table: String(table) },
    to: { dbSchema: String(otherSchema), table: String(other) },
    pairs: JSON.parse(String(pairs)),
  })

type Prepare = (sql: string) => Statement

function kept<T>(statement: Statement, read: (rows: readonly Stored[]) => T): () => Promise<T> {
  let known: { readonly until: number; readonly value: Promise<T> } | null = null
  const ask = async () => read(await statement.all([]))
  return () => {
    const now = performance.now()
    if (known && now < known.until) return known.value
    const value = ask()
    known = { until: now + keptMilliseconds, value }
    value.catch(() => {
      known = null
    })
    return value
  }
}
