import type { Resources } from '../../model/meta.ts'
import type { Telemetry } from '../../request/telemetry.ts'
import { runAfterCommit } from '../around/after-commit.ts'
import { tracedReader } from '../around/traced-queries.ts'
import { type KeyedLock, keyedLock } from '../keyed-lock.ts'
import type { Reader } from '../reader.ts'
import type { Signature } from '../signature.ts'
import type { AfterCommit, Clients, Delegates, Store, Transaction } from '../store.ts'
import { unknownSizes } from '../table-sizes.ts'
import { committedClient, type TransactionalClient } from './committed-client.ts'
import { reasonToRetry, translated } from './database-errors.ts'
import { prismaReader } from './prisma-reader.ts'
import { readerWithSessions } from './sessions.ts'
import { signedWork } from './signed-work.ts'
import { whileOpen } from './while-open.ts'

const attempts = 8

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
  const options = Object.freeze({ isolationLevel: 'Serializable', maxWait, timeout: held })
  const retries = keyedLock()
  const { reader, writer } = 'writer' in clients ? clients : { reader: clients, writer: clients }
  const readerOf = (client: Delegates) => {
    const plain = prismaReader(client, models)
    return telemetry ? tracedReader(plain, telemetry, provider) : plain
  }
  const onRepeat = (reason: 'serializationFailure' | 'locked') => telemetry?.repeated(reason)
  const own = 'sql' in clients ? (clients.sql?.writer ?? null) : null
  const signed: Transactions['signed'] = (client, signature, work) =>
    signedWork({ client, provider, writer: own?.client === writer ? own : null }, signature, work)
  const transactions = {
    writer: writer as unknown as TransactionalClient,
    options,
    retries,
    readerOf,
    onRepeat,
    signed,
  }
  return {
    reader: readerWithSessions(reader, readerOf),
    committed: isAlone ? committedClient(writer as unknown as TransactionalClient) : writer,
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
  readonly retries: KeyedLock
  readonly readerOf: (client: Delegates) => Reader
  readonly onRepeat: (reason: 'serializationFailure' | 'locked') => void
  readonly signed: <T>(client: Delegates, signature: Signature, work: () => Promise<T>) => Promise<T>
}

interface Committed<T> {
  readonly result: T
  readonly late: readonly AfterCommit[]
}

// Serializable, because a write is several statements, and those of two writes must not mix. A conflict of two transactions
// is no failure of either: the later one runs again as a whole. Retries run one at a time; in parallel, many writes of one
// row would keep conflicting.
async function inTransaction<T>(
  { writer, options, retries, readerOf, onRepeat, signed }: Transactions,
  work: (transaction: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  for (let tried = 1; ; tried++) {
    const late: AfterCommit[] = []
    const once = (transaction: Delegates): Promise<T> =>
      whileOpen(transaction, (client) =>
        work({
          client,
          reader: readerOf(transaction),
          afterCommit: (each) => void late.push(each),
          signed: (signature, inside) => signed(client, signature, inside),
        }),
      )
    const run = () => writer.$transaction(once, options)
    try {
      return { result: await (tried === 1 ? run() : retries.enqueue('', run)), late }
    } catch (error) {
      const reason = reasonToRetry(error)
      if (tried >= attempts || reason === null) throw error
      onRepeat(reason)
      // The other transaction ends in no time. A locked file may be another process's, in the middle of its work.
      const milliseconds = 20 * (reason === 'serializationFailure' ? tried : 2 ** tried)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * milliseconds))
    }
  }
}
