import type { SqlTransaction, StatementWithin } from '@prismapi/core/database/sql-database'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type pg from 'pg'
import { toRefusal, transactionClosed } from '../prisma/adapter-errors.ts'
import { OpenWork } from '../prisma/adapter-transactions.ts'
import { type LentConnections, lentConnections } from '../prisma/postgres-adapter.ts'
import type { Answered, RowsQuery } from './rows-query.ts'

/** Statements as the pool of the database has them, on one connection. */
export type StatementsOn = (ask: (query: RowsQuery) => Promise<Answered>) => (sql: string) => StatementWithin

interface PostgresTransactionsParts {
  readonly pool: pg.Pool
  readonly pooler: boolean
  readonly statementsOn: StatementsOn
  readonly onQuery: ((sql: string) => void) | undefined
}

/**
 * Begins transactions on connections of the pool. From then on the
 * pool gives Prisma Client the connection of one that is shared.
 */
export function postgresTransactions(parts: PostgresTransactionsParts): () => Promise<SqlTransaction> {
  const lent = lentConnections(parts.pool)
  return async () => {
    const connection = await lent.connect()
    // One that is lost fails its statements, which tell of it.
    connection.on('error', ignored)
    try {
      parts.onQuery?.('BEGIN')
      await connection.query('BEGIN ISOLATION LEVEL SERIALIZABLE')
    } catch (error) {
      connection.removeListener('error', ignored)
      connection.release(true)
      throw toRefusal(error)
    }
    return new PostgresTransaction(connection, lent, parts)
  }
}

const ignored = () => {}

class PostgresTransaction implements SqlTransaction {
  readonly prepare: SqlTransaction['prepare']
  private readonly connection: pg.PoolClient
  private readonly lent: LentConnections
  private readonly parts: PostgresTransactionsParts
  private readonly work = new OpenWork()
  private last: Promise<unknown> = Promise.resolve()

  constructor(connection: pg.PoolClient, lent: LentConnections, parts: PostgresTransactionsParts) {
    this.connection = connection
    this.lent = lent
    this.parts = parts
    this.prepare = parts.statementsOn((query) => this.inTurn(() => this.answerOf(query)))
  }

  shared<T>(work: () => T): T {
    return this.lent.lend((asked) => this.work.statement(() => this.connection.query(asked)), work)
  }

  async commit(): Promise<void> {
    if (!this.work.end()) throw transactionClosed()
    try {
      this.parts.onQuery?.('COMMIT')
      const { command } = await this.connection.query('COMMIT')
      // Of a transaction in which a statement has failed, COMMIT is a ROLLBACK without an error.
      if (command === 'ROLLBACK') throw new Error(undone)
    } catch (error) {
      this.release(refused(error))
      throw toRefusal(error)
    }
    this.release(false)
  }

  async rollback(): Promise<void> {
    if (!this.work.end()) return
    const { connection, parts } = this
    // ROLLBACK would have to wait for it: as long as the database likes, or for ever.
    if (this.work.isRunning) {
      endConnection(connection, parts)
      this.release(true)
      return
    }
    const isLost = await connection.query('ROLLBACK').then(
      () => false,
      () => true,
    )
    this.release(isLost)
  }

  private answerOf(query: RowsQuery): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const told = (error: Error | null, answer: Answered) => (error ? reject(error) : resolve(answer))
      this.connection.query(query as never, told as never)
    })
  }

  /** One after the other: a connection has no more than one statement at a time. */
  private inTurn<T>(run: () => Awaitable<T>): Promise<T> {
    const done = this.last.then(() => this.work.statement(run))
    this.last = done.catch(ignored)
    return done.catch((error: unknown) => {
      throw toRefusal(error)
    })
  }

  /** Gives the connection back, or throws it away. */
  private release(isLost: boolean): void {
    this.connection.removeListener('error', ignored)
    this.connection.release(isLost)
  }
}

/**
 * Ends a connection, at the database as well: it would keep the locks until its
 * statement ends. A pooler does so itself, and has process numbers of its own.
 */
export function endConnection(
  client: pg.PoolClient,
  { pool, pooler }: Pick<PostgresTransactionsParts, 'pool' | 'pooler'>,
): void {
  const { processID } = client as { readonly processID?: number }
  // The pool throws a connection away that is ending, once it is given back.
  ;(client as unknown as pg.Client).end().catch(ignored)
  if (!pooler && processID) pool.query('SELECT pg_terminate_backend($1)', [processID]).catch(ignored)
}

const undone = 'The transaction was undone: a statement in it has failed, and its error was caught.'

/** Whether the connection may not have ended the transaction. */
const refused = (error: unknown): boolean => !/^[\dA-Z]{5}$/.test(String((error as { readonly code?: unknown }).code))
