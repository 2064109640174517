import type { SqlDriverAdapter, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'

/** How the transactions of one kind of adapter end. */
interface Ending {
  /** Ends the connection of a transaction while a statement still runs there; false where it cannot. */
  readonly cancel?: (transaction: Transaction) => boolean
  /** Waits, where the transaction has kept others from their turn. */
  readonly turn?: () => Promise<void> | null
}

/**
 * Makes transactions end whole: an adapter that does nothing more in a transaction once its COMMIT or ROLLBACK has been sent.
 * Prisma's own go on: if the time of a transaction passes during an operation of several statements, Prisma Client sends ROLLBACK and
 * gives the connection back, and the next statement of that operation is committed by itself, or becomes a part of another request's
 * transaction. `postgresClients` and `sqliteClients` have it; a client of another adapter needs it.
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

function wholeTransaction(transaction: Transaction, { cancel, turn }: Ending): Transaction {
  let isOver = false
  let running = 0
  const execute = transaction.executeRaw.bind(transaction)
  const end = async (query: SqlQuery): Promise<number> => {
    if (isOver) throw transactionClosed()
    isOver = true
    // ROLLBACK would have to wait for it: as long as the database likes, or for ever.
    if (query.sql === 'ROLLBACK' && running > 0 && cancel?.(transaction)) return 0
    return execute(query)
  }
  const statement = async <T>(query: SqlQuery, run: (query: SqlQuery) => Promise<T>): Promise<T> => {
    const waiting = turn?.()
    if (waiting) await waiting
    if (isOver) throw transactionClosed()
    running++
    try {
      return await run(query)
    } finally {
      running--
    }
  }
  const query = transaction.queryRaw.bind(transaction)
  const commit = transaction.commit.bind(transaction)
  const rollback = transaction.rollback.bind(transaction)
  return Object.assign(transaction, {
    queryRaw: (asked: SqlQuery) => statement(asked, query),
    // Some adapters are told of the end by a statement, all by a call.
    executeRaw: (asked: SqlQuery) => (ends.has(asked.sql) ? end(asked) : statement(asked, execute)),
    commit() {
      isOver = true
      return commit()
    },
    rollback() {
      isOver = true
      return rollback()
    },
  })
}

const ends: ReadonlySet<string> = new Set(['COMMIT', 'ROLLBACK'])

/** As the driver adapters themselves tell it. */
function transactionClosed(): Error {
  const message = 'The transaction has ended: its time was over.'
  return Object.assign(new Error(message), {
    name: 'DriverAdapterError',
    cause: { kind: 'TransactionAlreadyClosed', cause: message },
  })
}
