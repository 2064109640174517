import { unavailable } from '@prismapi/jsonapi/document/errors'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { ObservedRead, Observer } from '@prismapi/jsonapi/request/observer'
import { type Answer, lookUpAsRows, type Plan, type PlanKind, type Reader } from './reader.ts'
import {
  type AfterCommit,
  type ReaderThreads,
  type ReadingTransaction,
  runAfterCommit,
  type SingleStatementWriter,
  type Store,
} from './store.ts'

/** Does a read, and something around it. It answers with what `read` gives, or with an answer of its own. */
export type AroundRead = <Kind extends PlanKind>(
  plan: Plan<Kind>,
  read: () => Awaitable<Answer<Kind>>,
) => Awaitable<Answer<Kind>>

/** The same reader, with something done around each read. */
export const wrap = (reader: Reader, around: AroundRead): Reader => ({
  read: <Kind extends PlanKind>(plan: Plan<Kind>) => around<Kind>(plan, () => reader.read(plan)),
})

/** What is done around the work of a store; what is left out stays as it is. */
export interface AroundStore {
  /** Around each read, outside of transactions and inside. */
  readonly read?: AroundRead
  /** Around each write: a transaction with all of its attempts; or a single statement, whose model is known. */
  readonly write?: <T>(write: () => Promise<T>, model?: string) => Promise<T>
  /** Around the work of each attempt at a transaction. */
  readonly attempt?: <T>(work: () => Promise<T>) => Promise<T>
  /** What is done in the place of work for after the commit. */
  readonly afterCommit?: (work: AfterCommit) => AfterCommit
}

/**
 * The same store, with something done around its reads and writes.
 *
 * @example
 * let reads = 0
 * const plugin: Plugin = { store: (store) => wrapStore(store, { read: (_plan, read) => (reads++, read()) }) }
 */
export function wrapStore(store: Store, around: AroundStore): Store {
  const { read, write = run, attempt = run, afterCommit } = around
  const inside = (transaction: ReadingTransaction): ReadingTransaction => ({
    ...transaction,
    ...(read && { reader: wrap(transaction.reader, read) }),
    ...(afterCommit && { afterCommit: (work: AfterCommit) => transaction.afterCommit(afterCommit(work)) }),
  })
  return {
    ...store,
    ...(read && { reader: wrap(store.reader, read), threads: store.threads && wrapThreads(store.threads, read) }),
    write: (work, onBroken) =>
      write(() => store.write((transaction) => attempt(() => work(inside(transaction))), onBroken)),
    single: store.single && wrapSingle(store.single, write),
  }
}

const wrapThreads = (threads: ReaderThreads, around: AroundRead): ReaderThreads => ({
  ...threads,
  read: (work, isWorthTrying) => threads.read((reader) => work(wrap(reader, around)), isWorthTrying),
})

const run = <T>(work: () => Promise<T>): Promise<T> => work()

const wrapSingle = (single: SingleStatementWriter, write: Required<AroundStore>['write']): SingleStatementWriter => ({
  ...single,
  insert: (plan) => write(() => single.insert(plan), plan.model),
  update: (plan) => write(() => single.update(plan), plan.model),
  remove: (plan) => write(() => single.remove(plan), plan.model),
})

/** The store of a request that is observed: each read and each write is a stage. */
export const observedStore = (store: Store, observer: Observer): Store =>
  wrapStore(store, {
    read: (plan, read) =>
      observer.stage(
        'read',
        () => (observer.aroundRead ? observer.aroundRead(observedRead(plan), read) : read()),
        plan.model,
      ),
    write: (write, model) => observer.stage('write', write, model),
  })

function observedRead(plan: Plan): ObservedRead {
  const { kind, model } = plan
  switch (kind) {
    case 'rows': {
      const { where, order, skip, take } = plan
      return { operation: 'rows', model, where, order, skip, take }
    }
    case 'lookUp':
      return observedRead(lookUpAsRows(plan))
    case 'perParent':
      return { operation: 'rows', model, where: plan.where, order: plan.order, takePerParent: plan.take }
    case 'joined':
      return { operation: 'joined', model, where: plan.where, order: plan.order, through: plan.through.relation.name }
    case 'count':
    case 'countBy':
    case 'countThrough':
    case 'groups':
      return { operation: kind, model, where: plan.where }
    default:
      return plan satisfies never
  }
}

/** The store of a request that writes: once its client has gone, nothing begins, and nothing is committed. */
export function whileAwaited(store: Store, isAwaited: () => boolean): Store {
  const check = () => {
    if (!isAwaited()) throw unavailable(1)
  }
  const checked = async <T>(work: () => Promise<T>): Promise<T> => {
    check()
    return work()
  }
  const { tryRun, enqueue } = store.lock
  return {
    ...wrapStore(store, {
      write: checked,
      async attempt(work) {
        check()
        const result = await work()
        check()
        return result
      },
    }),
    // A request whose client is gone leaves its place in a queue to the next one.
    lock: {
      tryRun: (key, work) => tryRun(key, () => checked(work)),
      enqueue: (key, work) => enqueue(key, () => checked(work)),
    },
  }
}

/** The store of a request, to which failures after the commit are reported in place of the application. */
export const reportingLateFailures = (store: Store, onFailure: (error: unknown) => void): Store =>
  wrapStore(store, { afterCommit: (work) => () => runAfterCommit([work], onFailure) })
