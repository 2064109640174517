import type { SqlDatabase, Statement } from '../../sql-database.ts'

// What the planner knows; of a table that was never analyzed, its pages, with some hundred bytes for each row.
const estimates = `select case when c.reltuples >= 0 then c.reltuples else pg_relation_size(c.oid) / 100 end
  from unnest($1::text[], $2::text[]) with ordinality as asked(home, name, n)
  left join pg_namespace s on s.nspname = asked.home
  left join pg_class c on c.relnamespace = s.oid and c.relname = asked.name
  order by asked.n`

/** About how many rows tables have, by one query whatever their size. */
export function postgresSizes(prepare: (sql: string) => Statement): NonNullable<SqlDatabase['sizes']> {
  const statement = prepare(estimates)
  return async (tables) => {
    const rows = await statement.all([tables.map(({ dbSchema }) => dbSchema), tables.map(({ table }) => table)])
    return rows.map(([count]) => (count === null ? null : Number(count)))
  }
}
