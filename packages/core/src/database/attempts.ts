import { AsyncLocalStorage } from 'node:async_hooks'
import { unavailable } from '@prismapi/jsonapi/document/errors'
import type { Repeat, Tracing } from '@prismapi/jsonapi/request/observer'

// An attempt is all of a write, from its judging to its commit, or a transaction of it. Nothing of one that is given up
// is kept. These are the causes for which the server makes another one, and how many it makes for each.

/** The row is not any more what policies and rules judged: the operation begins anew. */
export class StaleRow extends Error {}

/** A transaction needs `preparing` hooks, which run outside of one: it is undone, and begins again after `run`. */
export class Unprepared extends Error {
  readonly run: () => Promise<unknown>

  constructor(run: () => Promise<unknown>) {
    super('preparing hooks have to run before the transaction begins.')
    this.run = run
  }
}

/** How many attempts are made at an operation whose row others change, and at a transaction that meets others. */
const attempts = 8

/**
 * How often `preparing` hooks run for a resource before a transaction. What they read may be another value in each one,
 * such as the id of a new row: after that they run inside.
 */
export const preparedOutside = 3

interface Retrying {
  readonly store: { readonly lock: KeyedLock }
  readonly observer: Pick<Tracing, 'repeated'> | null
}

/**
 * Does the work. Where another request changed a row between judging and writing it, the work runs again from its
 * beginning, as if it had come later. The key names what is written: retries of one key run one at a time, before all
 * that comes later under it, because in parallel they would keep conflicting.
 *
 * @throws {JsonApiError} 503 after eight attempts.
 */
export async function retryOnConflict<T>(
  { store: { lock }, observer }: Retrying,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const attempt = () => preparingFirst(work)
  try {
    return await lock.tryRun(key, attempt)
  } catch (error) {
    if (!(error instanceof StaleRow)) throw error
  }
  return lock.enqueue(key, async () => {
    for (let tried = 2; ; tried++) {
      observer?.repeated('staleRow')
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof StaleRow)) throw error
        if (tried === attempts) throw unavailable(1)
      }
      // This time another process was faster, and its writes do not wait here.
      await pause(10 * tried)
    }
  })
}

/** Does the work; where its transaction was undone for `preparing` hooks, it begins again behind them. */
async function preparingFirst<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unprepared)) throw error
      await error.run()
    }
  }
}

type TransactionRepeat = Exclude<Repeat, 'staleRow'>

export interface Repeats {
  /** Where transactions that run again wait for each other. */
  readonly retries: KeyedLock
  /** Why a transaction that failed may run again; null where it would fail again. */
  readonly reasonOf: (error: unknown) => TransactionRepeat | null
  /** Called before a transaction runs again, with the reason. */
  readonly onRepeat: (reason: TransactionRepeat) => void
}

/**
 * Runs a transaction. A conflict of two is no failure of either: the later one runs again as a whole. Retries run one
 * at a time; in parallel, many writes of one row would keep conflicting.
 */
export async function retryTransaction<T>(run: () => Promise<T>, { retries, reasonOf, onRepeat }: Repeats): Promise<T> {
  const attempt = async () => {
    const transaction = { retries, isOpen: true, outer: within.getStore() }
    try {
      return await within.run(transaction, run)
    } finally {
      transaction.isOpen = false
    }
  }
  for (let tried = 1; ; tried++) {
    try {
      return await (tried === 1 ? attempt() : retries.enqueue('', attempt))
    } catch (error) {
      const reason = spent.has(error as object) ? null : reasonOf(error)
      if (reason === null) throw error
      if (tried === attempts) {
        spent.add(error as object)
        throw error
      }
      onRepeat(reason)
      // The other transaction ends in no time. A locked file may be another process's, in the middle of its work.
      await pause(20 * (reason === 'serializationFailure' ? tried : 2 ** tried))
    }
  }
}

interface Running {
  readonly retries: KeyedLock
  readonly isOpen: boolean
  /** The one that this one was begun in. */
  readonly outer: Running | undefined
}
const within = new AsyncLocalStorage<Running>()

/** Whether this code is a part of a transaction, which would run again by this lock. */
export function isInTransaction(retries: KeyedLock): boolean {
  for (let each = within.getStore(); each; each = each.outer) if (each.isOpen && each.retries === retries) return true
  return false
}

/** What has had its attempts: a transaction around it makes no more of them. */
const spent = new WeakSet<object>()

/** Where transactions of a client that run again wait for each other, whoever has begun them. */
export function retriesOf(client: object): KeyedLock {
  const lock = locks.get(client) ?? keyedLock()
  locks.set(client, lock)
  return lock
}
const locks = new WeakMap<object, KeyedLock>()

/** Waits for a random part of so many milliseconds. */
const pause = (most: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * most))

/** Tasks of one key run one at a time where they conflict: a queue for each key, and none while no task waits. */
export interface KeyedLock {
  /**
   * Runs the task at once. Where others wait under the key it waits behind them, or newcomers would always be faster
   * than they; a task that has waited long enough runs all the same.
   */
  tryRun<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Runs the task when those that came before it have ended, well or not. */
  enqueue<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** A hanging task stops blocking the next one after this many milliseconds. */
const turnMilliseconds = 500
/** A task that `tryRun` holds back runs after this many milliseconds. */
const patienceMilliseconds = 2000

export function keyedLock({ turn = turnMilliseconds, patience = patienceMilliseconds } = {}): KeyedLock {
  const last = new Map<string, Promise<void>>()
  const after = <T>(key: string, begin: Promise<void>, work: () => Promise<T>): Promise<T> => {
    const done = begin.then(work)
    const over = begin
      .then(() => atMost(turn, done))
      .then(() => {
        if (last.get(key) === over) last.delete(key)
      })
    last.set(key, over)
    return done
  }
  return {
    enqueue: (key, work) => after(key, last.get(key) ?? Promise.resolve(), work),
    tryRun(key, work) {
      const before = last.get(key)
      return before ? after(key, atMost(patience, before), work) : work()
    },
  }
}

/** Resolves when the work has ended, well or not, and no later than after so many milliseconds. */
function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(end, end)
  })
}
