import { pathOf } from '@prismapi/core/http/call'
import type { Context, Middleware } from 'koa'

/** What `health` is told. */
export interface HealthOptions {
  /** What the process cannot serve without, by name: rejects while it is gone. */
  readonly checks: Readonly<Record<string, () => PromiseLike<unknown>>>
  /** Aborted when the process is about to end; that of `gracefulShutdown`. */
  readonly draining?: AbortSignal
  /** Milliseconds that a check may take; by default 2000. */
  readonly timeoutMilliseconds?: number
  /** Milliseconds that its result is good for; by default 1000. A load balancer that asks meanwhile gets it, too. */
  readonly maxAgeMilliseconds?: number
}

/**
 * Koa middleware that says how the process is, to load balancers and to what starts and stops processes:
 *
 * - `/live`: 200 as long as the process answers at all.
 * - `/ready`: 200 while it should be sent requests; 503 with `Retry-After` while a check fails or the process drains.
 *
 * They answer with `application/json`: `{ "status": "ok" }`, or `"draining"`, or `"unavailable"` with the names of the
 * checks that failed. They say nothing of why, because any client may ask.
 *
 * @example
 * import Koa from 'koa'
 *
 * declare const prisma: { $queryRaw(sql: TemplateStringsArray): PromiseLike<unknown> }
 *
 * const app = new Koa().use(health({ checks: { database: () => prisma.$queryRaw`SELECT 1` } }))
 */
export function health({
  checks,
  draining,
  timeoutMilliseconds = 2000,
  maxAgeMilliseconds = 1000,
}: HealthOptions): Middleware {
  const times = { timeoutMilliseconds, maxAgeMilliseconds }
  const probes = Object.entries(checks).map(([name, check]): [string, Probe] => [name, probe(check, times)])
  return async (ctx, next) => {
    const path = pathOf(ctx)
    if (path !== '/live' && path !== '/ready') return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return answer(ctx, 405, { status: 'GET and HEAD only' })
    if (path === '/live') return answer(ctx, 200, { status: 'ok' })
    if (draining?.aborted) return answer(ctx, 503, { status: 'draining' })
    const results = await Promise.all(probes.map(async ([name, isWell]) => ((await isWell()) ? [] : [name])))
    const failed = results.flat()
    if (failed.length > 0) return answer(ctx, 503, { status: 'unavailable', failed })
    answer(ctx, 200, { status: 'ok' })
  }
}

function answer(ctx: Context, status: number, body: object): void {
  ctx.set('Cache-Control', 'no-store')
  ctx.set('X-Content-Type-Options', 'nosniff')
  if (status === 503) ctx.set('Retry-After', '1')
  if (status === 405) ctx.set('Allow', 'GET, HEAD')
  ctx.set('Content-Type', 'application/json')
  ctx.body = JSON.stringify(body)
  ctx.status = status
}

/** True while what it asks for is well; never rejects. */
type Probe = () => Promise<boolean>

interface ProbeTimes {
  readonly timeoutMilliseconds: number
  readonly maxAgeMilliseconds: number
}

/** Asks at most once in `maxAgeMilliseconds`, for everybody who wants to know meanwhile. */
function probe(check: () => PromiseLike<unknown>, { timeoutMilliseconds, maxAgeMilliseconds }: ProbeTimes): Probe {
  let result: Promise<boolean> | null = null
  const forget = () => {
    result = null
  }
  return () => {
    if (result === null) {
      result = isInTime(check, timeoutMilliseconds)
      // From the answer on: a slow one must not be old when it comes.
      void result.then(() => setTimeout(forget, maxAgeMilliseconds).unref())
    }
    return result
  }
}

/** A check that takes too long is left alone: it ends by itself, or with the connection that it waits for. */
async function isInTime(check: () => PromiseLike<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const well = async () => {
    await check()
    return true
  }
  return Promise.race([well().catch(() => false), late]).finally(() => clearTimeout(timer))
}
