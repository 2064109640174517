import type { Signature } from '@prismapi/core/database/session'
import type {
  Beginning,
  Bound,
  SqlTransaction,
  SqlWriter,
  StatementWithin,
  Stored,
  WriteStatement,
} from '@prismapi/core/database/sql-database'
import { type BoundedCache, boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type Sqlite from 'better-sqlite3'
import { toRefusal, transactionClosed } from '../prisma/adapter-errors.ts'
import { sendEnd, type WholeTransaction, withoutEnd } from '../prisma/adapter-transactions.ts'
import type { BeforeUse, SharedAdapter, WritingConnection } from '../prisma/sqlite-adapter.ts'
import { allOf } from './sqlite-database.ts'

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

/** Runs one statement on the connection, in the transaction that is open there, or else in its own. */
type Run = (writing: WritingConnection) => readonly Stored[]

interface Write {
  readonly run: Run
  resolve(rows: readonly Stored[] | null): void
  reject(error: unknown): void
}

/**
 * Commits the writes that requests ask for in one turn together: each commit writes all
 * pages that have changed, and rows share many of them. No request learns of its write
 * before the commit. If one of the writes fails, SQLite undoes all, and each runs alone.
 *
 * @param free the connection, as soon as it is about to be used; null while a transaction is open there.
 * @returns what a write answers; null where the connection was not free, and nothing was done.
 */
export function committedTogether(
  free: () => WritingConnection | null,
): (run: Run) => Promise<readonly Stored[] | null> {
  let waiting: Write[] = []
  let transaction: ImmediateTransaction | null = null
  const transactionOn = (writing: WritingConnection): ImmediateTransaction => {
    if (transaction?.connection !== writing.connection) transaction = new ImmediateTransaction(writing)
    return transaction
  }

  const runAll = () => {
    const writes = waiting
    waiting = []
    const writing = free()
    if (!writing) for (const { resolve } of writes) resolve(null)
    else if (writes.length === 1 || !succeedTogether(writes, writing, transactionOn(writing)))
      for (const write of writes) runAlone(write, writing)
  }

  return (run) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ run, resolve, reject }) === 1) process.nextTick(runAll)
    })
}

function runAlone({ run, resolve, reject }: Write, writing: WritingConnection): void {
  try {
    resolve(run(writing))
  } catch (error) {
    reject(error)
  }
}

/** Whether they are settled. */
function succeedTogether(
  writes: readonly Write[],
  writing: WritingConnection,
  transaction: ImmediateTransaction,
): boolean {
  let hasBegun = false
  try {
    const answers = transaction.run(() => {
      hasBegun = true
      return writes.map(({ run }) => run(writing))
    })
    writes.forEach(({ resolve }, index) => {
      resolve(answers[index] as readonly Stored[])
    })
    return true
  } catch (error) {
    // Each alone will tell its own error. But while another process writes, each would
    // wait for it, one after the other; and behind a ROLLBACK that failed, none can run.
    if (hasBegun && !writing.connection.inTransaction) return false
    for (const { reject } of writes) reject(error)
    return true
  }
}

/** Signs what the log of changes has of a transaction. */
type Sign = (signature: Signature) => void

/**
 * A connection of SQLite has no settings that triggers could read, and they see none of the tables that
 * are its own. But no other connection writes while it does: what is new in the log is of its transaction.
 */
export class ChangeSigner {
  readonly connection: WritingConnection['connection']
  private readonly transaction
  private readonly last
  private readonly update

  constructor(writing: WritingConnection) {
    const { connection, prepare } = writing
    this.connection = connection
    this.transaction = new ImmediateTransaction(writing)
    this.last = prepare<[], bigint>('SELECT coalesce(max("id"), 0) FROM "Change"').pluck().safeIntegers()
    this.update = prepare(
      'UPDATE "Change" SET "request" = ?, "user" = ? WHERE "id" > ? AND "request" IS NULL AND "user" IS NULL',
    )
  }

  /** Notes where the log of the open transaction ends; what comes behind that is signed. */
  mark(): Sign {
    const last = this.last.get()
    return ({ request, user }) => void this.update.run(request, user, last)
  }

  /** Does the work in the transaction that is open, or else in one of its own. */
  signed<T>(signature: Signature, work: () => T): T {
    const signedWork = () => {
      const sign = this.mark()
      const result = work()
      sign(signature)
      return result
    }
    return this.connection.inTransaction ? signedWork() : this.transaction.run(signedWork)
  }
}

interface SqliteTransactionParts {
  readonly beforeUse: BeforeUse
  readonly onQuery: ((sql: string) => void) | undefined
  readonly shares: SharedAdapter['shares']
}

/** A transaction that the adapter of Prisma Client has begun, without Prisma Client, on the connection that writes. */
class SqliteTransaction implements SqlTransaction {
  private readonly transaction: WholeTransaction
  private readonly writing: WritingConnection
  private readonly parts: SqliteTransactionParts

  constructor(transaction: WholeTransaction, writing: WritingConnection, parts: SqliteTransactionParts) {
    this.transaction = transaction
    this.writing = writing
    this.parts = parts
    parts.onQuery?.('BEGIN')
  }

  prepare(sql: string): StatementWithin {
    return {
      all: (values, characters) =>
        this.done(sql, (statement) => {
          if (!statement.readonly) this.parts.beforeUse(true)
          if (statement.reader) return allOf(statement, values, characters)
          statement.run(...values)
          return []
        }),
      run: (values) =>
        this.done(sql, (statement) => {
          this.parts.beforeUse(true)
          return statement.run(...values).changes
        }),
    }
  }

  shared<T>(work: () => T): T {
    return this.parts.shares.give(withoutEnd(this.transaction), work)
  }

  async commit(): Promise<void> {
    if (this.transaction.work.isOver) throw transactionClosed()
    try {
      this.parts.onQuery?.('COMMIT')
      await sendEnd(this.transaction, 'COMMIT')
    } finally {
      // The connection is free for the next one; a transaction that could not be committed is undone.
      await this.transaction.commit()
    }
  }

  async rollback(): Promise<void> {
    const { transaction } = this
    if (transaction.work.isOver) return
    await sendEnd(transaction, 'ROLLBACK').catch(() => {})
    await transaction.rollback()
  }

  private async done<T>(sql: string, run: (statement: Sqlite.Statement<unknown[], Stored>) => T): Promise<T> {
    try {
      return await this.transaction.work.statement(() => {
        this.parts.onQuery?.(sql)
        return run(statementOf(this.writing, sql))
      })
    } catch (error) {
      throw toRefusal(error)
    }
  }
}

const keptStatements = 500
const statementsOf = memo(
  (_connection: Sqlite.Database): BoundedCache<Sqlite.Statement<unknown[], Stored>> =>
    boundedCache(keptStatements, 262_144),
)

function statementOf({ connection, prepare }: WritingConnection, sql: string): Sqlite.Statement<unknown[], Stored> {
  return statementsOf(connection).get(sql, () => {
    const statement = prepare<unknown[], Stored>(sql).safeIntegers(false)
    return statement.reader ? statement.raw() : statement
  })
}

/** Transactions of one connection, each of which is the only writer from its beginning on. */
class ImmediateTransaction {
  readonly connection: Sqlite.Database
  private readonly begin
  private readonly commit
  private readonly rollback

  constructor({ connection, prepare }: WritingConnection) {
    this.connection = connection
    this.begin = prepare('BEGIN IMMEDIATE')
    this.commit = prepare('COMMIT')
    this.rollback = prepare('ROLLBACK')
  }

  /** Commits what the work did, or undoes it if the work fails. */
  run<T>(work: () => T): T {
    this.begin.run()
    try {
      const result = work()
      this.commit.run()
      return result
    } catch (error) {
      // A statement that fails may take the transaction along.
      if (this.connection.inTransaction) this.rollback.run()
      throw error
    }
  }
}
