import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { Transaction } from '@prisma/driver-adapter-utils'
import type Sqlite from 'better-sqlite3'
import { withWholeTransactions } from '../../prisma/whole-transactions.ts'
import type { Beginning, Bound, SqlWriter, Stored, WriteStatement } from '../../sql-database.ts'
import { ChangeSigner } from './change-signer.ts'
import { committedTogether } from './committed-together.ts'
import { withInstantsRead } from './read-instants.ts'
import type { BeforeUse, WritingConnection } from './sqlite-database.ts'
import { cacheStatements } from './statement-cache.ts'

type Adapter = Awaited<ReturnType<PrismaBetterSqlite3['connect']>>
type AdapterParameters = ConstructorParameters<typeof PrismaBetterSqlite3>

const connectionInfo = { maxBindValues: 32_766, supportsRelationJoins: false }

/**
 * The adapter of the client that writes. Its statements are kept, and single ones may use its connection while no
 * transaction does. `beforeUse` is told of whatever is about to run.
 */
export class SharedAdapter extends PrismaBetterSqlite3 {
  /** Null before there is a connection. */
  shared: WritingConnection | null = null
  /** Prisma's transaction that is open on it. */
  open: OpenTransaction | null = null
  /** The one that Prisma Client gets when it connects, which it does for its first query. */
  private early: Adapter | null = null
  private readonly beforeUse: BeforeUse

  constructor(connection: AdapterParameters[0], format: AdapterParameters[1], beforeUse: BeforeUse) {
    super(connection, format)
    this.beforeUse = beforeUse
  }

  /** Connects before Prisma Client does, for the statements that do without it. */
  async connectEarly(): Promise<void> {
    this.early = await this.connectAnew()
  }

  /** Closes the connection, where Prisma Client has not taken it. */
  async close(): Promise<void> {
    await this.takeEarly()?.dispose()
  }

  override async connect() {
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
    const noted = Object.assign(adapter, {
      // Prisma supposes 999 values of a statement, as SQLite had them up to version 3.32.
      getConnectionInfo: () => connectionInfo,
      startTransaction: async (level?: Parameters<typeof start>[0]) => this.noted(await start(level)),
    })
    return withWholeTransactions(noted, { turn: turns() })
  }

  /** One begins when the one before has released the connection. */
  private noted<T extends Transaction>(transaction: T): T {
    this.open = { isMarked: false }
    for (const end of ['commit', 'rollback'] as const) {
      const release = transaction[end].bind(transaction)
      transaction[end] = () => {
        this.open = null
        // COMMIT may be refused, and leaves the transaction open then.
        if (this.shared?.connection.inTransaction) this.shared.connection.prepare('ROLLBACK').run()
        return release()
      }
    }
    return withInstantsRead(transaction)
  }
}

/** How long transactions keep one turn of the event loop. */
const turnMilliseconds = 5

/** SQLite answers at once: a transaction of many statements would keep the process from everything else, its own timer too. */
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
  /** Whether its changes will be signed. */
  isMarked: boolean
}

/**
 * Statements on the connection of Prisma's writer. Another one would have to wait for its transactions, and the waiting
 * would keep them from going on; inside of one of them a row would be lost when that is undone.
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
    mark() {
      const { open, shared } = adapter
      if (!open || open.isMarked || !shared?.connection.inTransaction) return null
      open.isMarked = true
      const sign = signerOn(shared).mark()
      return (signature) => {
        // One that took too long was undone, and the connection may be in the transaction of another request.
        if (adapter.open !== open || !shared.connection.inTransaction) return
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
            // Prisma Client may have connected anew.
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
