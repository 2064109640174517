import { availableParallelism } from 'node:os'
import type { Bound, Lane, Stored } from '@prismapi/core/database/sql-database'
import { unavailable } from '@prismapi/jsonapi/document/errors'
import type { SqliteDatabase } from '../databases/sqlite-database.ts'
import { laneThread, type Thread } from './thread.ts'

/** How many requests wait for a thread at most, and how long each of them. */
const mostWaiting = 64
const waitMilliseconds = 30_000

export interface LaneParts {
  readonly file: string
  readonly inlineCost: number
  /** How long a statement is tried in the event loop. */
  readonly inlineMilliseconds: number
  readonly database: Pick<SqliteDatabase, 'allWithin'>
  readonly statementMilliseconds: number
  /** Is told each statement. */
  readonly onQuery: ((sql: string) => void) | undefined
}

type Attempt = (sql: string, values: readonly Bound[], characters?: number) => readonly Stored[] | null

/**
 * How long the event loop leaves a statement to the threads after it took too long
 * there: twice as long each time, until it is quick. So a short hiccup sends few
 * requests to the threads, and a statement that always takes long costs few tries.
 */
const firstRestMilliseconds = 4
const longestRestMilliseconds = 256
const mostResting = 500

interface Rest {
  readonly until: number
  readonly milliseconds: number
}

/**
 * Tries statements in the event loop, each for a short time: most are much cheaper than the most that they may cost.
 */
function attempts({ database, inlineMilliseconds }: Pick<LaneParts, 'database' | 'inlineMilliseconds'>): Attempt {
  if (inlineMilliseconds === 0) return () => null
  const resting = new Map<string, Rest>()
  return (sql, values, characters) => {
    const last = resting.get(sql)
    if (last && last.until > performance.now()) return null
    const rows = database.allWithin(inlineMilliseconds, { sql, values, characters })
    if (rows) {
      resting.delete(sql)
      return rows
    }
    const milliseconds = last ? Math.min(2 * last.milliseconds, longestRestMilliseconds) : firstRestMilliseconds
    if (resting.size >= mostResting) resting.clear()
    resting.set(sql, { until: performance.now() + milliseconds, milliseconds })
    return null
  }
}

/**
 * Threads beside the event loop, each with a read-only connection of its own to a
 * SQLite file: one for each request, for as long as it reads. They begin with the
 * first request that needs one, and a thread whose statement takes too long is ended.
 */
export function openLane(parts: LaneParts): Lane {
  const { file, inlineCost, statementMilliseconds, onQuery } = parts
  const attempt = attempts(parts)
  // The event loop keeps a core. Two are enough: more of them would only wait for the same file.
  const most = availableParallelism() > 1 ? 2 : 1
  const free: Thread[] = []
  const waiting = new Set<(thread: Thread) => void>()
  const all = new Set<Thread>()
  let isClosed = false

  function start(): Thread {
    const thread = laneThread(file, statementMilliseconds, () => {
      all.delete(thread)
      const at = free.indexOf(thread)
      if (at >= 0) free.splice(at, 1)
      const [next] = waiting
      if (next && !isClosed) next(start())
    })
    all.add(thread)
    return thread
  }

  async function acquire(): Promise<Thread> {
    const thread = free.pop() ?? (all.size < most && !isClosed ? start() : null)
    if (thread) return thread
    if (isClosed || waiting.size >= mostWaiting) throw unavailable(1)
    return new Promise((resolve, reject) => {
      const take = (next: Thread) => {
        clearTimeout(timer)
        waiting.delete(take)
        resolve(next)
      }
      const timer = setTimeout(() => {
        waiting.delete(take)
        reject(unavailable(1))
      }, waitMilliseconds)
      waiting.add(take)
    })
  }

  function release(thread: Thread): void {
    if (thread.isEnded()) return
    thread.endSnapshot()
    const [next] = waiting
    if (next) next(thread)
    else free.push(thread)
  }

  return {
    inlineCost,
    async read(work, isWorthTrying = false) {
      let acquired = isWorthTrying ? null : acquire()
      try {
        await acquired
        return await work({
          all(sql, values, characters) {
            const rows = acquired ? null : attempt(sql, values, characters)
            if (rows) return rows
            acquired ??= acquire()
            return acquired.then((thread) => {
              onQuery?.(sql)
              return thread.all(sql, values, characters)
            })
          },
        })
      } finally {
        await acquired?.then(release, () => {})
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...all].map((thread) => thread.end()))
    },
  }
}
