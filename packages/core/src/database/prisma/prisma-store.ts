import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Telemetry } from '@prismapi/jsonapi/request/telemetry'
import { keyedLock, type Repeats, retriesOf, retryTransaction } from '../attempts.ts'
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
import { reasonToRetry, translated } from './database-errors.ts'
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

/** Who writes: of two clients, one does. */
export const writerOf = (clients: Clients) =>
  ('writer' in clients ? clients.writer : clients) as unknown as TransactionalClient

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
