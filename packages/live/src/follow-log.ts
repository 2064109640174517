import { type Logger, loggedError } from '@prismapi/core/server/logger'
import { type Change, type ChangeLog, mostAtOnce, type Position } from './change-log.ts'

interface FollowParts {
  readonly log: ChangeLog
  readonly logger: Logger
  /** Seconds for which changes are kept. */
  readonly keep: number
  isWatched(): boolean
  /** Is told what was committed behind a position. */
  onChanges(changes: readonly Change[], from: Position): void
  onTick(now: number): void
}

/** Reads the log as long as clients watch, by one statement each time. */
export interface LogFollower {
  /** Resolved once what is committed from now on will be told. */
  start(): Promise<void>
  /** Resolved once everything that was committed until now has been told. */
  caughtUp(): Promise<void>
  /** How far it has read; null while nobody watches. */
  position(): Position | null
  /** Removes what is old, once in a while. */
  prune(): void
}

/**
 * Always the same pace: reading the log sooner after a write, or less often without one, would reveal by the time of an
 * event that there were changes which the reader may not see.
 */
const pace = 50
const pauseOfFailure = 2000
const pruneMilliseconds = 60_000

export function followLog({ log, logger, keep, isWatched, onChanges, onTick }: FollowParts): LogFollower {
  let position: Position | null = null
  let starting: Promise<void> | null = null
  let hasFailed = false
  let waiting: (() => void)[] = []
  let pruneAt = Date.now() + pruneMilliseconds

  // In small steps, one after the other: what is written meanwhile waits for none of them long.
  const prune = () => {
    if (Date.now() < pruneAt) return
    pruneAt = Date.now() + pruneMilliseconds
    log.prune(keep).then(
      (hasMore) => {
        if (hasMore) pruneAt = Date.now()
      },
      (err: unknown) => logger.warn({ err: loggedError(err) }, 'Old changes could not be removed'),
    )
  }
  const wait = (pause: number) => void setTimeout(look, pause).unref()
  const read = async () => {
    for (let isAll = false; !isAll; ) {
      // SQLite answers at once: without a pause, the server would answer no client before it has read all changes.
      await new Promise(setImmediate)
      const from = position as Position
      const found = await log.after(from)
      position = found.position
      isAll = found.changes.length < mostAtOnce
      if (found.changes.length > 0) onChanges(found.changes, from)
    }
  }
  async function look(): Promise<void> {
    if (!isWatched()) {
      position = null
      starting = null
      return
    }
    let pause = pace
    // Callers that start to wait during this read are answered by the next one: this read may miss a commit that they
    // need.
    const due = waiting
    waiting = []
    try {
      await read()
      hasFailed = false
      for (const resolve of due) resolve()
      // Let the watches finish before the tick, so that the next read is not delayed: a delay would reveal the earlier
      // one.
      await new Promise(setImmediate)
    } catch (err) {
      waiting = [...due, ...waiting]
      pause = pauseOfFailure
      // The database is away: to say so once is enough.
      if (!hasFailed) logger.warn({ err: loggedError(err) }, 'The log of changes could not be read')
      hasFailed = true
    }
    onTick(Date.now())
    prune()
    wait(pause)
  }
  return {
    start() {
      starting ??= log.end().then(
        (end) => {
          position = end
          wait(pace)
        },
        (error: unknown) => {
          starting = null
          throw error
        },
      )
      return starting
    },
    caughtUp: () => new Promise((resolve) => void waiting.push(resolve)),
    position: () => position,
    prune,
  }
}
