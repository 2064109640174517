import type { Beginning, Bound, SqlWriter, Stored, WriteStatement } from '@prismapi/core/database/sql-database'
import type Sqlite from 'better-sqlite3'
import { ChangeSigner } from './change-signer.ts'
import { committedTogether } from './committed-together.ts'
import type { SharedAdapter } from './shared-adapter.ts'
import type { BeforeUse, WritingConnection } from './sqlite-database.ts'
import { SqliteTransaction } from './sqlite-transaction.ts'

/**
 * Runs single statements on the connection of the Prisma Client that writes, while no transaction is open there.
 *
 * On a connection of its own, a statement would wait for the lock of such a transaction;
 * better-sqlite3 waits synchronously, so that the transaction could never end. Inside of
 * the transaction, the row that a statement writes would be gone after a rollback.
 */
export const sqliteWriter = (
  client: object,
  adapter: SharedAdapter,
  { beforeUse, onQuery }: { beforeUse: BeforeUse; readonly onQuery: ((sql: string) => void) | undefined },
): SqlWriter => {
  let signer: ChangeSigner | null = null
  const signerOn = (writing: WritingConnection): ChangeSigner => {
    if (signer?.connection !== writing.connection) signer = new ChangeSigner(writing)
    return signer
  }
  const write = committedTogether(() => {
    const { shared } = adapter
    if (!shared?.connection.open) return null
    beforeUse(true)
    return shared.connection.inTransaction ? null : shared
  })
  return {
    client,
    async begin() {
      const transaction = await adapter.begin()
      return new SqliteTransaction(transaction, adapter.shared as WritingConnection, {
        beforeUse,
        onQuery,
        shares: adapter.shares,
      })
    },
    mark() {
      const { transaction, shared } = adapter
      if (!transaction || transaction.isMarked || !shared?.connection.inTransaction) return null
      transaction.isMarked = true
      const sign = signerOn(shared).mark()
      return (signature) => {
        // A transaction that took too long was rolled back, and the connection may be in that of another request now.
        if (adapter.transaction !== transaction || !shared.connection.inTransaction) return
        beforeUse(true)
        sign(signature)
      }
    },
    prepare(sql): WriteStatement {
      let kept: Sqlite.Statement<unknown[], Stored> | null = null
      return {
        run: (values: readonly Bound[], { signature }: Beginning = {}) =>
          write((writing) => {
            const { connection, prepare } = writing
            // Prisma Client may have opened another connection.
            if (kept?.database !== connection) kept = prepare<unknown[], Stored>(sql).raw().safeIntegers(false)
            const statement = kept
            onQuery?.(sql)
            return signature
              ? signerOn(writing).signed(signature, () => statement.all(...values))
              : statement.all(...values)
          }),
      }
    },
  }
}
