import type Sqlite from 'better-sqlite3'
import { boundedCache } from '../../../request/bounded-cache.ts'
import type { BeforeUse } from './sqlite-database.ts'

const keptStatements = 500

/**
 * Makes a connection of Prisma's adapter keep its statements, which the adapter prepares anew for each query; that takes
 * longer than most of them run. `beforeUse` is told of each before it runs.
 *
 * @returns the connection's own `prepare`.
 */
export function cacheStatements(connection: Sqlite.Database, beforeUse: BeforeUse): Sqlite.Database['prepare'] {
  const prepare = connection.prepare.bind(connection) as Sqlite.Database['prepare']
  const kept = boundedCache<Sqlite.Statement<unknown[]>>(keptStatements, 262_144)
  const prepareKept = (sql: string) => {
    const statement = kept.get(sql, () => prepare(sql))
    beforeUse(!statement.readonly)
    return usedOnce(statement)
  }
  connection.prepare = prepareKept as unknown as typeof prepare
  return prepare
}

/** A statement can be bound for good once only. This is what the adapter does with one: it binds, runs, and forgets it. */
const usedOnce = (statement: Sqlite.Statement<unknown[]>) => ({
  run: () => statement.run(),
  bind: (values: readonly unknown[]) => ({
    reader: statement.reader,
    columns: () => statement.columns(),
    run: () => statement.run(...values),
    raw: () => ({ all: () => statement.raw().all(...values) }),
  }),
})
