import type { Provider } from '../../model/meta.ts'
import type { Telemetry } from '../../request/telemetry.ts'
import { doLate } from '../around/late-work.ts'
import { toldReader } from '../around/told-queries.ts'
import { type Queues, queues } from '../queues.ts'
import type { Reader } from '../reader.ts'
import type { AfterCommit, Clients, Delegates, Store, Transaction } from '../store.ts'
import { reasonToRepeat, translated } from './database-errors.ts'
import { prismaReader } from './prisma-reader.ts'

const attempts = 8

/** How long the transactions of writes may take, in milliseconds, as Prisma's options of the same names; beyond it 503. */
export interface TransactionLimits {
  /** Until one begins, because all connections are in use or, on SQLite, others write. By default 10000. */
  readonly maxWait?: number
  /** From its beginning to its commit. By default 10000. */
  readonly timeout?: number
}

/** Who is told of queries and of transactions that begin anew, and what the database is. */
export interface Told {
  readonly telemetry: Telemetry
  readonly provider: Provider
}

/** The store over the application's clients, shared by all requests. `onLateFailure` is told what failed after a commit. */
export function prismaStore(
  clients: Clients,
  onLateFailure: (error: unknown) => void,
  { maxWait = 10_000, timeout = 10_000, told = null }: TransactionLimits & { readonly told?: Told | null } = {},
): Store {
  const options = Object.freeze({ isolationLevel: 'Serializable', maxWait, timeout })
  const retries = queues()
  const { reader, writer } = 'writer' in clients ? clients : { reader: clients, writer: clients }
  const readerOf = told
    ? (client: Delegates) => toldReader(prismaReader(client), told.telemetry, told.provider)
    : prismaReader
  const onRepeat = (reason: 'met' | 'busy') => told?.telemetry.repeated(reason)
  const transactions = { writer: writer as unknown as TransactionalClient, options, retries, readerOf, onRepeat }
  return {
    reader: readerOf(reader as unknown as Delegates),
    async write(work, onUnique) {
      const { result, late } = await translated(() => inTransaction(transactions, work), onUnique)
      await doLate(late, onLateFailure)
      return result
    },
    queues: queues(),
    plain: null,
  }
}

interface Transactions {
  readonly writer: TransactionalClient
  readonly options: object
  readonly retries: Queues
  readonly readerOf: (client: Delegates) => Reader
  readonly onRepeat: (reason: 'met' | 'busy') => void
}

interface Committed<T> {
  readonly result: T
  readonly late: readonly AfterCommit[]
}

// Serializable, because a write is several statements, and those of two writes must not mix. Two transactions that met
// each other are no failure of either: the later one begins anew, as a whole. Those that do take turns, or many writes of
// one row would go on meeting each other.
async function inTransaction<T>(
  { writer, options, retries, readerOf, onRepeat }: Transactions,
  work: (transaction: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  for (let tried = 1; ; tried++) {
    const late: AfterCommit[] = []
    const once = async (client: Delegates): Promise<T> =>
      work({ client, reader: readerOf(client), afterCommit: (each) => void late.push(each) })
    const run = () => writer.$transaction(once, options)
    try {
      return { result: await (tried === 1 ? run() : retries.wait('', run)), late }
    } catch (error) {
      const reason = reasonToRepeat(error)
      if (tried >= attempts || reason === null) throw error
      onRepeat(reason)
      // Who was met is done in no time; who keeps a file busy may be another process, in the middle of its work.
      const milliseconds = 20 * (reason === 'met' ? tried : 2 ** tried)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * milliseconds))
    }
  }
}

/** A Prisma client, as transactions are begun: each generated one has its own type of the client within. */
interface TransactionalClient {
  $transaction<T>(work: (client: Delegates) => Promise<T>, options: object): Promise<T>
}
