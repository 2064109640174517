import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type Sqlite from 'better-sqlite3'
import type { Bound, SqlWriter, Stored, WriteStatement } from '../database.ts'
import type { BeforeUse, WritingConnection } from './sqlite-database.ts'
import { cacheStatements } from './statement-cache.ts'

/**
 * The adapter of the client that writes. Its statements are kept, and single ones may use its connection while no
 * transaction does. `beforeUse` is told of whatever is about to run.
 */
export class SharedAdapter extends PrismaBetterSqlite3 {
  /** Null before Prisma Client connects, which it does for its first query. */
  shared: WritingConnection | null = null
  private readonly beforeUse: BeforeUse

  constructor(options: ConstructorParameters<typeof PrismaBetterSqlite3>[0], beforeUse: BeforeUse) {
    super(options)
    this.beforeUse = beforeUse
  }

  override async connect() {
    const adapter = await super.connect()
    const { client: connection } = adapter as { readonly client?: Sqlite.Database }
    if (connection) this.shared = { connection, prepare: cacheStatements(connection, this.beforeUse) }
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
  { beforeUse, onQuery }: { beforeUse: BeforeUse; readonly onQuery: ((sql: string) => void) | undefined },
): SqlWriter => ({
  client,
  prepare(sql): WriteStatement {
    let kept: Sqlite.Statement<unknown[], Stored> | null = null
    return {
      run(values: readonly Bound[]) {
        const { connection, prepare } = adapter.shared ?? {}
        if (!connection?.open || !prepare) return null
        beforeUse(true)
        if (connection.inTransaction) return null
        // Prisma Client may have connected anew.
        if (kept?.database !== connection) kept = prepare<unknown[], Stored>(sql).raw().safeIntegers(false)
        onQuery?.(sql)
        return kept.all(...values)
      },
    }
  },
})
