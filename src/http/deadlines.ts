import type { Context } from 'koa'

/** Watches over the requests of a server, so that each is answered in time. */
export interface Deadlines {
  start(ctx: Context): void
  end(ctx: Context): void
}

const none: Deadlines = Object.freeze({ start() {}, end() {} })

/**
 * All requests have the same time, so the first that is still here is the next that is late: one timer does for all, and
 * a request that is in time costs two steps of a map.
 */
export function makeDeadlines(milliseconds: number, onLate: (ctx: Context) => void): Deadlines {
  if (milliseconds > longestTimer) return none
  const started = new Map<Context, number>()
  let isLooking = false
  const lookAfter = (wait: number) => {
    isLooking = true
    setTimeout(look, wait).unref()
  }
  const look = () => {
    isLooking = false
    const now = performance.now()
    for (const [ctx, at] of started) {
      const left = at + milliseconds - now
      if (left > 0) {
        lookAfter(Math.ceil(left))
        return
      }
      started.delete(ctx)
      onLate(ctx)
    }
  }
  return {
    start(ctx) {
      started.set(ctx, performance.now())
      if (!isLooking) lookAfter(milliseconds)
    },
    end: (ctx) => void started.delete(ctx),
  }
}

/** Node's timers would take more for no time at all. */
const longestTimer = 2 ** 31 - 1
