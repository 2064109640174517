import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { endingWhole, ends, SharedTransactions } from './adapter-transactions.ts'

export type { PrismaPg }

interface PostgresAdapterOptions {
  /** The schema of the tables. */
  readonly schema: string
  /** Ends the connection of a transaction, while a statement still runs there. */
  readonly cancel: (connection: pg.PoolClient) => void
}

/** The adapter of a Prisma Client, on a pool that it shares with prepared statements; its transactions end whole. */
export const postgresAdapter = (pool: pg.Pool, { schema, cancel }: PostgresAdapterOptions): PrismaPg =>
  endingWhole(new PrismaPg(pool, { schema }), {
    cancel(transaction) {
      const { client } = transaction as { readonly client?: pg.PoolClient }
      if (!client) return false
      cancel(client)
      return true
    },
  })

/** As much of a connection as the adapter uses in a transaction. */
type UsedConnection = Pick<pg.PoolClient, 'query' | 'on' | 'removeListener' | 'release'>

/** Does a statement on a connection. */
type Query = (asked: pg.QueryConfig) => Promise<unknown>

/** Connections of transactions, which are lent to Prisma Client: its adapter asks the pool for one. */
export interface LentConnections {
  /** Takes a connection of the pool. */
  connect(): Promise<pg.PoolClient>
  /** Who calls `$transaction` of Prisma Client inside of the work has its statements done by `run`. */
  lend<T>(run: Query, work: () => T): T
}

export function lentConnections(pool: pg.Pool): LentConnections {
  const shared = new SharedTransactions<UsedConnection>()
  const connect = pool.connect.bind(pool) as (...args: readonly unknown[]) => Promise<pg.PoolClient>
  pool.connect = ((...args: readonly unknown[]) => {
    const given = args.length === 0 ? shared.take() : null
    return given ? Promise.resolve(given) : connect(...args)
  }) as typeof pool.connect
  return {
    connect: () => connect(),
    lend(run, work) {
      const query: Query = (asked) => (isBound(asked.text) ? Promise.resolve(nothing) : run(asked))
      const used = { query, on: ignored, removeListener: ignored, release: ignored } as unknown as UsedConnection
      return shared.give(used, work)
    },
  }
}

const ignored = () => {}

/** What begins or ends a transaction, which the one that is lent does by itself. */
const isBound = (sql: string): boolean => ends.has(sql) || sql === 'BEGIN' || sql.startsWith('SET TRANSACTION ')

const nothing = { rows: [], fields: [], rowCount: 0 }
