import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { ColumnTypeEnum, SqlQueryable, Transaction } from '@prisma/driver-adapter-utils'
import { boundedCache } from '@prismapi/jsonapi/model/memo'
import type Sqlite from 'better-sqlite3'
import { toInstant } from '../dialects/codec.ts'
import { ends, SharedTransactions, type WholeTransaction, withWholeTransactions } from './adapter-transactions.ts'

export type { PrismaBetterSqlite3 }

/** The connection that writes, with its own way to prepare statements. */
export interface WritingConnection {
  readonly connection: Sqlite.Database
  readonly prepare: Sqlite.Database['prepare']
}

/** Is told that the connection is about to be used, and whether for writing. */
export type BeforeUse = (isWrite: boolean) => void

type Adapter = Awaited<ReturnType<PrismaBetterSqlite3['connect']>>
type AdapterParameters = ConstructorParameters<typeof PrismaBetterSqlite3>

/**
 * What Prisma Client asks of a connection. It supposes 999 values in a
 * statement, the limit of SQLite up to version 3.32.
 */
const connectionInfo = { maxBindValues: 32_766, supportsRelationJoins: false }

/**
 * The adapter of the Prisma Client that writes. It shares its connection with `sqliteWriter`, which runs single
 * statements on it while no transaction of Prisma Client is open. It calls `beforeUse` before each statement.
 */
export class SharedAdapter extends PrismaBetterSqlite3 {
  /** The connection that both use; null until there is one. */
  shared: WritingConnection | null = null
  /** The transaction of Prisma Client that is open on the connection. */
  transaction: OpenTransaction | null = null
  /** The transactions that are handed over to Prisma Client. */
  readonly shares = new SharedTransactions<Transaction>()
  /** Begins a transaction on the connection; null before there is one. */
  private start: (() => Promise<Transaction>) | null = null
  /** A connection that was opened before Prisma Client asks for one, at its first query. */
  private early: Adapter | null = null
  private readonly beforeUse: BeforeUse

  constructor(connection: AdapterParameters[0], format: AdapterParameters[1], beforeUse: BeforeUse) {
    super(connection, format)
    this.beforeUse = beforeUse
  }

  /** Connects before Prisma Client does, for single statements that are run before its first query. */
  async connectEarly(): Promise<void> {
    this.early = await this.connectAnew()
  }

  /** Closes the connection, unless Prisma Client has taken it and closes it itself. */
  async close(): Promise<void> {
    await this.takeEarly()?.dispose()
  }

  override async connect(): Promise<Adapter> {
    return this.takeEarly() ?? this.connectAnew()
  }

  private takeEarly(): Adapter | null {
    const { early } = this
    this.early = null
    return early
  }

  private async connectAnew(): Promise<Adapter> {
    const adapter = withInstantsRead(await super.connect())
    const { client: connection } = adapter as { readonly client?: Sqlite.Database }
    if (connection) this.shared = { connection, prepare: cacheStatements(connection, this.beforeUse) }
    const start = adapter.startTransaction.bind(adapter)
    const watched = Object.assign(adapter, {
      getConnectionInfo: () => connectionInfo,
      startTransaction: async (level?: Parameters<typeof start>[0]) => this.watch(await start(level)),
    })
    const whole = withWholeTransactions(watched, { turn: turns() })
    const begin = whole.startTransaction.bind(whole)
    this.start = () => begin('SERIALIZABLE')
    return Object.assign(whole, {
      startTransaction: async (level?: Parameters<typeof begin>[0]) => this.shares.take() ?? begin(level),
    })
  }

  /** Begins a transaction beside those of Prisma Client, and in turn with them. */
  async begin(): Promise<WholeTransaction> {
    if (!this.start || !this.shared?.connection.open) await this.connectEarly()
    return (await this.start?.()) as WholeTransaction
  }

  /**
   * Keeps in `transaction` which one is open. Prisma's adapter opens
   * the next one after this one has released the connection.
   */
  private watch<T extends Transaction>(transaction: T): T {
    this.transaction = { isMarked: false }
    const execute = transaction.executeRaw.bind(transaction)
    let hasEnded = false
    transaction.executeRaw = async (asked) => {
      const changed = await execute(asked)
      hasEnded ||= ends.has(asked.sql)
      return changed
    }
    for (const end of ['commit', 'rollback'] as const) {
      const release = transaction[end].bind(transaction)
      transaction[end] = () => {
        this.transaction = null
        try {
          // SQLite may refuse COMMIT, and leaves the transaction open then. After one that has ended, what is open
          // is the transaction of a read.
          if (!hasEnded && this.shared?.connection.inTransaction) this.shared.prepare('ROLLBACK').run()
        } finally {
          void release()
        }
        return Promise.resolve()
      }
    }
    return withInstantsRead(transaction)
  }
}

/** The statements of transactions may use so much time of one turn of the event loop. */
const turnMilliseconds = 5

/**
 * Has a transaction wait for the next turn of the event loop where the time of this one is
 * used up. better-sqlite3 is synchronous: without this, a transaction of many statements would
 * keep the process from all other requests, and from the timer that limits the transaction.
 */
function turns(): () => Promise<void> | null {
  let began: number | null = null
  return () => {
    if (began === null) {
      began = performance.now()
      setImmediate(() => {
        began = null
      })
      return null
    }
    return performance.now() - began < turnMilliseconds ? null : new Promise((resolve) => setImmediate(resolve))
  }
}

interface OpenTransaction {
  /** `mark()` was called: the changes of this transaction get the signature of one request in the log of changes. */
  isMarked: boolean
}

// The package is a part of the adapter, and need not be there for who imports.
const dateTime: (typeof ColumnTypeEnum)['DateTime'] = 10

/** What Prisma Client takes for an instant of itself: with a T, and a zone of hours and minutes. */
const isKnown = /T.*(?:Z|[+-]\d\d:\d\d)$/

/**
 * Lets Prisma Client read instants of every spelling, as prepared statements do. Of some, like
 * `2026-01-01 00:00:00 +00:00`, it would make an invalid date, and fail in the next step.
 *
 * @returns the same connection
 */
function withInstantsRead<Connection extends Pick<SqlQueryable, 'queryRaw'>>(connection: Connection): Connection {
  const query = connection.queryRaw.bind(connection)
  const queryRaw: typeof query = async (asked) => {
    const found = await query(asked)
    const columns = found.columnTypes.flatMap((type, i) => (type === dateTime ? [i] : []))
    if (columns.length === 0) return found
    for (const row of found.rows) for (const i of columns) row[i] = respelt(row[i])
    return found
  }
  return Object.assign(connection, { queryRaw })
}

function respelt(value: unknown): unknown {
  if (typeof value !== 'string' || isKnown.test(value)) return value
  const instant = toInstant(value)
  return Number.isNaN(instant.getTime()) ? value : instant.toISOString()
}

const keptStatements = 500

/**
 * Makes a connection of Prisma's adapter keep its statements, which the adapter prepares anew for
 * each query; that takes longer than most of them run. `beforeUse` is told of each before it runs.
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

/**
 * A statement can be bound for good once only. This is what the adapter does with one: it binds, runs, and forgets it.
 */
const usedOnce = (statement: Sqlite.Statement<unknown[]>) => ({
  run: () => statement.run(),
  bind: (values: readonly unknown[]) => ({
    reader: statement.reader,
    columns: () => statement.columns(),
    run: () => statement.run(...values),
    raw: () => ({ all: () => statement.raw().all(...values) }),
  }),
})
