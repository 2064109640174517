import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type Sqlite from 'better-sqlite3'
import type { Bound, SqlWriter, Stored, WriteStatement } from './database.ts'

/** The adapter of the client that writes, which lets single statements use its connection while no transaction does. */
export class SharedAdapter extends PrismaBetterSqlite3 {
  /** Null before Prisma Client connects, which it does for its first query. */
  connection: Sqlite.Database | null = null

  override async connect() {
    const adapter = await super.connect()
    this.connection = (adapter as { readonly client?: Sqlite.Database }).client ?? null
    return adapter
  }
}

/**
 * Statements on the connection of Prisma's writer. Another one would have to wait for its transactions, and the waiting
 * would keep them from going on; inside of one of them a row would be lost when that is undone.
 */
export const sqliteWriter = (
  client: object,
  adapter: SharedAdapter,
  onQuery: ((sql: string) => void) | undefined,
): SqlWriter => ({
  client,
  prepare(sql): WriteStatement {
    let kept: Sqlite.Statement<unknown[], Stored> | null = null
    return {
      run(values: readonly Bound[]) {
        const { connection } = adapter
        if (!connection?.open || connection.inTransaction) return null
        // Prisma Client may have connected anew.
        if (kept?.database !== connection) kept = connection.prepare<unknown[], Stored>(sql).raw().safeIntegers(false)
        onQuery?.(sql)
        return kept.all(...values)
      },
    }
  },
})
