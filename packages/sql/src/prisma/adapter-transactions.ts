import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlDriverAdapter, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import { transactionClosed } from './adapter-errors.ts'

/** How the transactions of one kind of adapter end. */
interface Ending {
  /** Ends the connection of a transaction while a statement still runs there; false where it cannot. */
  readonly cancel?: (transaction: Transaction) => boolean
  /** Waits, where the transaction has kept others from their turn. */
  readonly turn?: () => Promise<void> | null
}

/**
 * Makes transactions end whole: an adapter that does nothing more in a transaction once its COMMIT or ROLLBACK has been
 * sent. Prisma's own go on: if the time of a transaction passes during an operation of several statements, Prisma
 * Client sends ROLLBACK and gives the connection back, and the next statement of that operation is committed by itself,
 * or becomes a part of another request's transaction. `postgresClients` and `sqliteClients` have it; a client of
 * another adapter needs it.
 *
 * @returns the same adapter
 *
 * @example
 * import { PrismaMariaDb } from '@prisma/adapter-mariadb'
 * import { wholeTransactions } from 'prismapi'
 * import { PrismaClient } from '../../prisma/generated/client/client.ts'
 *
 * const adapter = wholeTransactions(new PrismaMariaDb('mariadb://localhost/blog'))
 * const clients = new PrismaClient({ adapter })
 */
export function wholeTransactions<Factory extends { connect(): Promise<unknown> }>(factory: Factory): Factory {
  return endingWhole(factory, {})
}

/** The same, with what is known of the adapter. */
export function endingWhole<Factory extends { connect(): Promise<unknown> }>(
  factory: Factory,
  ending: Ending,
): Factory {
  const connect = factory.connect.bind(factory) as () => Promise<SqlDriverAdapter>
  return Object.assign(factory, { connect: async () => withWholeTransactions(await connect(), ending) })
}

/** An adapter that is connected, whose transactions end whole. */
export function withWholeTransactions<Adapter extends SqlDriverAdapter>(adapter: Adapter, ending: Ending): Adapter {
  const start = adapter.startTransaction.bind(adapter)
  return Object.assign(adapter, {
    startTransaction: async (level?: Parameters<typeof start>[0]) => wholeTransaction(await start(level), ending),
  })
}

/** What is done in a transaction: nothing more once its end has begun. */
export class OpenWork {
  #isOver = false
  #running = 0
  readonly #turn: Ending['turn']

  constructor(turn?: Ending['turn']) {
    this.#turn = turn
  }

  /** Whether the end has begun. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether a statement has not come to its end. */
  get isRunning(): boolean {
    return this.#running > 0
  }

  /** Does a statement. @throws {Error} where the transaction has ended. */
  async statement<T>(run: () => Awaitable<T>): Promise<T> {
    const waiting = this.#turn?.()
    if (waiting) await waiting
    if (this.#isOver) throw transactionClosed()
    this.#running++
    try {
      return await run()
    } finally {
      this.#running--
    }
  }

  /** Whether the end begins now; false where it has begun before. */
  end(): boolean {
    const isFirst = !this.#isOver
    this.#isOver = true
    return isFirst
  }
}

/** A transaction of an adapter that ends whole, with a way for statements beside the adapter's. */
export interface WholeTransaction extends Transaction {
  readonly work: OpenWork
}

function wholeTransaction(transaction: Transaction, { cancel, turn }: Ending): WholeTransaction {
  const work = new OpenWork(turn)
  const execute = transaction.executeRaw.bind(transaction)
  const end = async (asked: SqlQuery): Promise<number> => {
    if (!work.end()) throw transactionClosed()
    // ROLLBACK would have to wait for it: as long as the database likes, or for ever.
    if (asked.sql === 'ROLLBACK' && work.isRunning && cancel?.(transaction)) return 0
    return execute(asked)
  }
  const query = transaction.queryRaw.bind(transaction)
  const commit = transaction.commit.bind(transaction)
  const rollback = transaction.rollback.bind(transaction)
  return Object.assign(transaction, {
    work,
    queryRaw: (asked: SqlQuery) => work.statement(() => query(asked)),
    // Some adapters are told of the end by a statement, all by a call.
    executeRaw: (asked: SqlQuery) => (ends.has(asked.sql) ? end(asked) : work.statement(() => execute(asked))),
    commit() {
      work.end()
      return commit()
    },
    rollback() {
      work.end()
      return rollback()
    },
  })
}

/** The statements by which an adapter is told of the end. */
export const ends: ReadonlySet<string> = new Set(['COMMIT', 'ROLLBACK'])

/** Has the database end a transaction; its `commit` or `rollback` then gives the connection back. */
export const sendEnd = (transaction: Transaction, sql: 'COMMIT' | 'ROLLBACK'): Promise<number> =>
  transaction.executeRaw({ sql, args: [], argTypes: [] })

/** The same transaction for Prisma Client, which does not end it. */
export const withoutEnd = (transaction: Transaction): Transaction =>
  Object.assign(Object.create(transaction) as Transaction, {
    executeRaw: async (asked: SqlQuery) => (ends.has(asked.sql) ? 0 : transaction.executeRaw(asked)),
    commit: async () => {},
    rollback: async () => {},
  })

/**
 * To let Prisma Client join our transaction: it only tells its adapter "begin",
 * so `take()` gives the transaction of the current async context.
 */
export class SharedTransactions<T> {
  private readonly given = new AsyncLocalStorage<{ transaction: T | null }>()

  give<Result>(transaction: T, work: () => Result): Result {
    return this.given.run({ transaction }, work)
  }

  /** What was given, once; null for a transaction that Prisma Client begins by itself. */
  take(): T | null {
    const given = this.given.getStore()
    if (!given) return null
    const { transaction } = given
    given.transaction = null
    return transaction
  }
}
