import type { MeasuredTable, SqlDatabase, Statement, Stored } from '@prismapi/core/database/sql-database'
import { foreignKeyText } from '../catalog.ts'

// What only the database knows of its tables.

// Tables whose RETURNING may differ from the final row: AFTER triggers, DELETE triggers, which
// may mark a row instead, and rules. The framework's own triggers change no row.
const triggered = `select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and (t.tgtype & 2 = 0 or t.tgtype & 8 = 8) and not starts_with(t.tgname, 'prismapi_')
  union select tablename from pg_rules`

// Foreign keys that refuse what a look-up would not find. PostgreSQL 18 knows some that
// refuse nothing, and whoever disables the triggers of a table disables its keys. They see
// rows that row level security hides, and find a row by another spelling of its key if the
// type has several. A trigger may point the new row elsewhere, before its keys are looked at.
const foreign = `select s.nspname, c.relname, r.nspname, f.relname,
    (select json_agg(json_build_array(own.attname, other.attname))::text
      from unnest(k.conkey, k.confkey) as pair(own, other)
      join pg_attribute own on own.attrelid = c.oid and own.attnum = pair.own
      join pg_attribute other on other.attrelid = f.oid and other.attnum = pair.other)
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid join pg_namespace s on s.oid = c.relnamespace
  join pg_class f on f.oid = k.confrelid join pg_namespace r on r.oid = f.relnamespace
  where k.contype = 'f' and to_jsonb(k)->>'conenforced' is distinct from 'false'
    and not exists (select from pg_trigger t where t.tgconstraint = k.oid and t.tgenabled in ('D', 'R'))
    and not exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal and t.tgtype & 7 = 7)
    and not f.relrowsecurity
    and not exists (
      select from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_collation l on l.oid = a.attcollation
      where (a.attrelid = k.conrelid and a.attnum = any (k.conkey) or a.attrelid = k.confrelid and a.attnum = any (k.confkey))
        and (t.typtype <> 'e' and t.oid::regtype::text not in ('smallint', 'integer', 'bigint', 'text', 'character varying', 'uuid')
          or l.collisdeterministic is false))`

/** How long what was found is taken for true: a migration seldom changes it beside servers that run. */
const keptMilliseconds = 60_000

/**
 * The tables of any schema with triggers that may change a row after a
 * statement has written it; null where they are not to be read.
 */
export const postgresTriggers = (prepare: Prepare): (() => Promise<ReadonlySet<string> | null>) =>
  kept(prepare(triggered), ([name]) => String(name))

/** The foreign keys of all schemas, by `foreignKeyText`; null where they are not to be read. */
export const postgresForeignKeys = (prepare: Prepare): (() => Promise<ReadonlySet<string> | null>) =>
  kept(prepare(foreign), foreignKeyIn)

const foreignKeyIn = ([schema, table, otherSchema, other, pairs]: Stored): string =>
  foreignKeyText({
    from: { dbSchema: String(schema), table: String(table) },
    to: { dbSchema: String(otherSchema), table: String(other) },
    pairs: JSON.parse(String(pairs)),
  })

type Prepare = (sql: string) => Statement

function kept(statement: Statement, textOf: (row: Stored) => string): () => Promise<ReadonlySet<string> | null> {
  let known: { readonly until: number; readonly value: Promise<ReadonlySet<string> | null> } | null = null
  const ask = async () => {
    try {
      return new Set((await statement.all([])).map(textOf))
    } catch {
      // The writer reports that it does without. If the database is away, its statement comes upon that itself.
      return null
    }
  }
  return () => {
    const now = performance.now()
    if (!known || now >= known.until) known = { until: now + keptMilliseconds, value: ask() }
    return known.value
  }
}

// What the planner knows; of a table that was never analyzed, its pages, with some hundred bytes for each row.
const estimates = `select case when c.reltuples >= 0 then c.reltuples else pg_relation_size(c.oid) / 100 end
  from unnest($1::text[], $2::text[]) with ordinality as asked(home, name, n)
  left join pg_namespace s on s.nspname = asked.home
  left join pg_class c on c.relnamespace = s.oid and c.relname = asked.name
  order by asked.n`

// Which part of the rows has the most frequent value, and how long
// values are. Of texts that are kept beside the table nothing is known.
const statistics = `select s.most_common_freqs[1], s.avg_width
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as asked(home, name, held, n)
  left join pg_stats s on s.schemaname = asked.home and s.tablename = asked.name and s.attname = asked.held
  order by asked.n`

/** About how large tables are, by two queries whatever their size. */
export function postgresSizes(prepare: (sql: string) => Statement): NonNullable<SqlDatabase['sizes']> {
  const [ofTables, ofColumns] = [prepare(estimates), prepare(statistics)]
  return async (tables) => {
    const columns = tables.flatMap((table) => [...table.keys, ...table.texts].map((held) => ({ ...table, held })))
    const counts = await ofTables.all(namesOf(tables))
    const told = await ofColumns.all([...namesOf(columns), columns.map(({ held }) => held)])
    let read = 0
    return tables.map(({ keys, texts }, i) => {
      const parts = keys.map(() => Number(told[read++]?.[0] ?? 0))
      const octets = texts.map(() => Number(told[read++]?.[1] ?? 0))
      const count = counts[i]?.[0] ?? null
      if (count === null) return null
      const rows = Number(count)
      return { rows, most: parts.map((part) => part * rows), octets }
    })
  }
}

const namesOf = (tables: readonly Pick<MeasuredTable, 'dbSchema' | 'table'>[]) => [
  tables.map(({ dbSchema }) => dbSchema),
  tables.map(({ table }) => table),
]
