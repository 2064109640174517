import type { SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import type { SqlTransaction, StatementWithin, Stored } from '@prismapi/core/database/sql-database'
import { type BoundedCache, boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type Sqlite from 'better-sqlite3'
import { toRefusal } from './driver-errors.ts'
import type { SharedTransactions } from './shared-transactions.ts'
import { allOf, type BeforeUse, type WritingConnection } from './sqlite-database.ts'
import { ends, transactionClosed, type WholeTransaction } from './whole-transactions.ts'

interface SqliteTransactionParts {
  readonly beforeUse: BeforeUse
  readonly onQuery: ((sql: string) => void) | undefined
  readonly shares: SharedTransactions<Transaction>
}

/** A transaction that the adapter of Prisma Client has begun, without Prisma Client, on the connection that writes. */
export class SqliteTransaction implements SqlTransaction {
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
    const { transaction } = this
    const used: Transaction = Object.assign(Object.create(transaction) as Transaction, {
      executeRaw: async (asked: SqlQuery) => (ends.has(asked.sql) ? 0 : transaction.executeRaw(asked)),
      commit: async () => {},
      rollback: async () => {},
    })
    return this.parts.shares.give(used, work)
  }

  async commit(): Promise<void> {
    if (this.transaction.work.isOver) throw transactionClosed()
    try {
      this.parts.onQuery?.('COMMIT')
      await this.transaction.executeRaw(command('COMMIT'))
    } finally {
      // The connection is free for the next one; a transaction that could not be committed is undone.
      await this.transaction.commit()
    }
  }

  async rollback(): Promise<void> {
    const { transaction } = this
    if (transaction.work.isOver) return
    await transaction.executeRaw(command('ROLLBACK')).catch(() => {})
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

const command = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] })

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
