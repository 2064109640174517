import type { Statement } from '../database.ts'

// RETURNING tells what triggers before a change have made of a row, and nothing of those after it. The framework's own change none.
const triggered = `select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and t.tgtype & 2 = 0 and not starts_with(t.tgname, 'prismapi_')
  union select tablename from pg_rules`

/** How long what was found is taken for true: a migration seldom adds a trigger beside servers that run. */
const keptMilliseconds = 60_000

/** The tables of any schema with triggers that may change a row after a statement has written it. */
export function postgresTriggers(prepare: (sql: string) => Statement): () => Promise<ReadonlySet<string>> {
  const statement = prepare(triggered)
  let known: { readonly until: number; readonly tables: Promise<ReadonlySet<string>> } | null = null
  const ask = async () => new Set((await statement.all([])).map(([name]) => String(name)))
  return () => {
    const now = performance.now()
    if (known && now < known.until) return known.tables
    const tables = ask()
    known = { until: now + keptMilliseconds, tables }
    tables.catch(() => {
      known = null
    })
    return tables
  }
}
