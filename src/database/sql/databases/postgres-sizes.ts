import type { MeasuredTable, SqlDatabase, Statement } from '../../sql-database.ts'

// What the planner knows; of a table that was never analyzed, its pages, with some hundred bytes for each row.
const estimates = `select case when c.reltuples >= 0 then c.reltuples else pg_relation_size(c.oid) / 100 end
  from unnest($1::text[], $2::text[]) with ordinality as asked(home, name, n)
  left join pg_namespace s on s.nspname = asked.home
  left join pg_class c on c.relnamespace = s.oid and c.relname = asked.name
  order by asked.n`

// Which part of the rows has the most frequent value, and how long values are. Of texts that are kept beside the table nothing is known.
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
