import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { TransactionClient } from '@prismapi/jsonapi/model/register'
import type { Telemetry } from '@prismapi/jsonapi/request/telemetry'
import { isInTransaction, keyedLock, type Repeats, retriesOf, retryTransaction } from '../attempts.ts'
import type { Reader } from '../reader.ts'
import { askBy, type Signature } from '../session.ts'
import {
  type AfterCommit,
  type Clients,
  type Delegates,
  type ReadingTransaction,
  runAfterCommit,
  type Store,
} from '../store.ts'
import { unknownSizes } from '../tables.ts'
import { tracedReader } from '../traced-queries.ts'
import { prismaJoinRows, prismaWriter, whileOpen } from './client.ts'
import { committedClient, type TransactionalClient } from './committed-client.ts'
import { busyDatabase, reasonToRetry, translated } from './database-errors.ts'
import { prismaReader } from './prisma-reader.ts'
import { readerWithSessions, signedWork } from './sessions.ts'

/** How long a transaction of a write may take, in milliseconds, as in Prisma's options; beyond that, 503. */
export interface TransactionLimits {
  /** Until one begins, because all connections are in use or, on SQLite, others write. By default 10000. */
  readonly maxWait?: number
  /** From its beginning to its commit. By default 10000. */
  readonly timeout?: number
  /** The same on SQLite, where no other connection writes meanwhile. By default 2000. */
  readonly holdMilliseconds?: number
}

/** A transaction that has begun, and is committed unless its work fails. */
export type Inside = Pick<ReadingTransaction, 'client' | 'reader' | 'writer' | 'joinRows' | 'ask' | 'signed'>

/** Does work in a transaction: in one attempt. */
export type Carry = <T>(work: (inside: Inside) => Promise<T>) => Promise<T>

/** How long transactions of these databases may take, unless it is said. */
export function limitsOf({ provider }: Pick<Resources, 'provider'>, limits: TransactionLimits = {}) {
  const { maxWait = 10_000, timeout = 10_000, holdMilliseconds = 2000 } = limits
  return { maxWait, timeout: provider === 'sqlite' ? Math.min(timeout, holdMilliseconds) : timeout }
}

interface PrismaStoreOptions extends TransactionLimits {
  readonly resources: Pick<Resources, 'provider' | 'models'>
  /** What carries transactions out; left out, Prisma Client. */
  readonly carry?: Carry | undefined
  /** Is told of queries and retried transactions. */
  readonly telemetry?: Telemetry | null
}

/** The store over the application's clients, shared by all requests. `onLateFailure` gets failures after a commit. */
export function prismaStore(
  clients: Clients,
  onLateFailure: (error: unknown) => void,
  { resources, carry, telemetry = null, ...given }: PrismaStoreOptions,
): Store {
  const { provider, models } = resources
  const isAlone = provider === 'sqlite'
  const limits = limitsOf(resources, given)
  const reader = 'reader' in clients ? clients.reader : clients
  const writer = writerOf(clients)
  const readerOf = (client: Delegates) => {
    const plain = prismaReader(client, models)
    return telemetry ? tracedReader(plain, telemetry, provider) : plain
  }
  const repeats: Repeats = {
    retries: retriesOf(writer),
    reasonOf: reasonToRetry,
    onRepeat: (reason) => telemetry?.repeated(reason),
  }
  const sql = 'sql' in clients ? clients.sql : undefined
  const own = sql?.writer ?? null
  const signed: Transactions['signed'] = (client, signature, work) =>
    signedWork({ ask: askBy(client), provider, writer: own?.client === writer ? own : null }, signature, work)
  const transactions = { writer, options: serializableWith(limits), readerOf, signed, models }
  const carried = carry ?? byPrisma(transactions)
  const committing = { writer, limits, repeats }
  const committed = isAlone ? committedClient(committing) : writer
  return {
    reader: readerWithSessions(reader, readerOf),
    committed: (begin) => (begin ? committedClient(committing, begin) : committed),
    async write(work, onBroken) {
      const { result, late } = await translated(
        () => retryTransaction(() => committedWork(carried, work), repeats),
        onBroken,
      )
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

/** Prisma's options of a transaction of several statements, which those of others must not mix with. */
export const serializableWith = (limits: object): object => Object.freeze({ isolationLevel: 'Serializable', ...limits })

const writerOf = (clients: Clients) =>
  ('writer' in clients ? clients.writer : clients) as unknown as TransactionalClient

/**
 * Does work of the application's own in one serializable transaction, as the server does the writes of requests: for
 * jobs, routes of your own and `afterCommit`, where two that run at once must not decide by what both have read. What
 * the work throws undoes it.
 *
 * After a conflict with another transaction the work runs again from its start, so let it do nothing but read and write
 * by its `db`.
 *
 * @param clients those of `createApi`, or a Prisma client, such as the `db` of `afterCommit`
 * @param limits milliseconds; left out, ten seconds to begin and ten for the work, on SQLite two
 * @returns what the work returns
 * @throws {JsonApiError} 503 with `Retry-After` after eight attempts, where the time is over, and where the database is
 * away. Other errors are those of Prisma Client and of the work, as they are.
 * @throws {Error} inside of a transaction, such as that of a hook or an action: use its `db`.
 *
 * @example
 * import { serializable } from 'prismapi'
 *
 * declare const clients: Clients
 *
 * const isNew = await serializable(clients, async (db) => {
 *   if ((await db.tag.count({ where: { name: 'news' } })) > 0) return false
 *   await db.tag.create({ data: { name: 'news' } })
 *   return true
 * })
 */
export async function serializable<T>(
  clients: Clients,
  work: (db: TransactionClient) => Promise<T>,
  limits?: TransactionLimits,
): Promise<T> {
  const writer = writerOf(clients)
  const retries = retriesOf(writer)
  if (isInTransaction(retries)) throw new Error(alreadyInside)
  const provider = ('sql' in clients && clients.sql?.provider) || 'postgresql'
  const options = serializableWith(limitsOf({ provider }, limits))
  const begun = (inside: Delegates) =>
    whileOpen(inside, async (db) => {
      const result = await work(db as unknown as TransactionClient)
      // Of a transaction in which a statement has failed, COMMIT is a ROLLBACK to PostgreSQL, without an error.
      await askBy(db)('SELECT 1', [])
      return result
    })
  const repeats = { retries, reasonOf: reasonToRetry, onRepeat: () => {} }
  try {
    return await retryTransaction(() => writer.$transaction(begun, options), repeats)
  } catch (error) {
    throw busyDatabase(error) ?? error
  }
}

const alreadyInside =
  'serializable(): this code runs in a transaction already, which is serializable. Use its db: event.db of a hook, db of an action.'

interface Transactions {
  readonly writer: TransactionalClient
  readonly options: object
  readonly models: Resources['models']
  readonly readerOf: (client: Delegates) => Reader
  readonly signed: <T>(client: Delegates, signature: Signature, work: () => Promise<T>) => Promise<T>
}

const byPrisma =
  ({ writer, options, readerOf, signed, models }: Transactions): Carry =>
  (work) =>
    writer.$transaction((transaction) => {
      const reader = readerOf(transaction)
      return whileOpen(transaction, (client) =>
        work({
          client,
          reader,
          writer: prismaWriter(client),
          joinRows: prismaJoinRows({ client, reader }, { models }),
          ask: askBy(client),
          signed: (signature, inside) => signed(client, signature, inside),
        }),
      )
    }, options)

interface Committed<T> {
  readonly result: T
  readonly late: readonly AfterCommit[]
}

async function committedWork<T>(
  carry: Carry,
  work: (transaction: ReadingTransaction) => Promise<T>,
): Promise<Committed<T>> {
  const late: AfterCommit[] = []
  const result = await carry((inside) =>
    work({
      ...inside,
      asSystem: () => inside.client,
      asFramework: (framework) => framework(inside.writer),
      afterCommit: (each) => void late.push(each),
    }),
  )
  return { result, late }
}
