import type { Context, Middleware } from 'koa'
import { pathOf } from '../request/request-url.ts'
import { type Probe, probe } from './probe.ts'

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
 * They answer with `application/json`: `{ "status": "ok" }`, or `"draining"`, or `"unavailable"` with the names of the checks
 * that failed. They say nothing of why, because any client may ask.
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
