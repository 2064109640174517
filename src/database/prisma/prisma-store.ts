import type { Resources } from '../../model/meta.ts'
import type { Telemetry } from '../../request/telemetry.ts'
import { runAfterCommit } from '../around/after-commit.ts'
import { tracedReader } from '../around/traced-queries.ts'
import { keyedLock } from '../keyed-lock.ts'
import type { Reader } from '../reader.ts'
import type { Signature } from '../signature.ts'
import type { AfterCommit, Clients, Delegates, Store, Transaction } from '../store.ts'
import { unknownSizes } from '../table-sizes.ts'
import { committedClient, type TransactionalClient } from './committed-client.ts'
import { translated } from './database-errors.ts'
import { type JoinTables, joinRowsOf } from './join-rows.ts'
import { isExtended } from './lazy-client.ts'
import { prismaReader } from './prisma-reader.ts'
import { type Repeats, repeated } from './repeated.ts'
import { readerWithSessions } from './sessions.ts'
import { signedWork } from './signed-work.ts'
import { whileOpen } from './while-open.ts'

/** How long the transactions of writes may take, in milliseconds, as Prisma's options of the same names; beyond it 503. */
export interface TransactionLimits {
  /** Until one begins, because all connections are in use or, on SQLite, others write. By default 10000. */
  readonly maxWait?: number
  /** From its beginning to its commit. By default 10000. */
  readonly timeout?: number
  /** The same on SQLite, where no other connection writes meanwhile. By default 2000. */
  readonly holdMilliseconds?: number
}

interface PrismaStoreOptions extends TransactionLimits {
  readonly resources: Pick<Resources, 'provider' | 'models'>
  /** Is told of queries and retried transactions. */
  readonly telemetry?: Telemetry | null
}

/** The store over the application's clients, shared by all requests. `onLateFailure` is told what failed after a commit. */
export function prismaStore(
  clients: Clients,
  onLateFailure: (error: unknown) => void,
  { resources, maxWait = 10_000, timeout = 10_000, holdMilliseconds = 2000, telemetry = null }: PrismaStoreOptions,
): Store {
  const { provider, models } = resources
  const isAlone = provider === 'sqlite'
  const held = isAlone ? Math.min(timeout, holdMilliseconds) : timeout
  const limits = { maxWait, timeout: held }
  const { reader, writer: given } = 'writer' in clients ? clients : { reader: clients, writer: clients }
  const writer = given as unknown as TransactionalClient
  const readerOf = (client: Delegates) => {
    const plain = prismaReader(client, models)
    return telemetry ? tracedReader(plain, telemetry, provider) : plain
  }
  const repeats: Repeats = { retries: keyedLock(), onRepeat: (reason) => telemetry?.repeated(reason) }
  const sql = 'sql' in clients ? clients.sql : undefined
  const own = sql?.writer ?? null
  // Statements of our own would skip what an extension makes of operations.
  const isInSql = own?.client === writer && !isExtended(writer)
  const tables: JoinTables = { provider, models, schema: sql?.schema ?? null, isInSql }
  const signed: Transactions['signed'] = (client, signature, work) =>
    signedWork({ client, provider, writer: own?.client === writer ? own : null }, signature, work)
  const options = Object.freeze({ isolationLevel: 'Serializable', ...limits })
  const transactions = { writer, options, repeats, readerOf, signed, tables }
  const committing = { writer, limits, repeats }
  const committed = isAlone ? committedClient(committing) : writer
  return {
    reader: readerWithSessions(reader, readerOf),
    committed: (begin) => (begin ? committedClient(committing, begin) : committed),
    async write(work, onBroken) {
      const { result, late } = await translated(() => inTransaction(transactions, work), onBroken)
      await runAfterCommit(late, onLateFailure)
      return result
    },
    threads: null,
    tableSizes: unknownSizes,
    lock: keyedLock(),
    isWithin: false,
    single: null,
  }
}

interface Transactions {
  readonly writer: TransactionalClient
  readonly options: object
  readonly repeats: Repeats
  readonly tables: JoinTables
  readonly readerOf: (client: Delegates) => Reader
  readonly signed: <T>(client: Delegates, signature: Signature, work: () => Promise<T>) => Promise<T>
}

interface Committed<T> {
  readonly result: T
  readonly late: readonly AfterCommit[]
}

// Serializable, because a write is several statements, and those of two writes must not mix.
const inTransaction = <T>(
  { writer, options, repeats, readerOf, signed, tables }: Transactions,
  work: (transaction: Transaction) => Promise<T>,
): Promise<Committed<T>> =>
  repeated(async () => {
    const late: AfterCommit[] = []
    const result = await writer.$transaction(
      (transaction) =>
        whileOpen(transaction, (client) => {
          const reader = readerOf(transaction)
          return work({
            client,
            reader,
            joinRows: joinRowsOf({ client, reader }, tables),
            afterCommit: (each) => void late.push(each),
            signed: (signature, inside) => signed(client, signature, inside),
          })
        }),
      options,
    )
    return { result, late }
  }, repeats)
