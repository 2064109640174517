import type { Context, Middleware } from 'koa'
import type { Logger } from '../../server/logger.ts'
import { pathOf } from '../request/request-url.ts'
import { requestIdOf } from './request-id.ts'

/** What `accessLog` is told. */
export interface AccessLogOptions {
  /** Where the lines go. */
  readonly logger: Logger
  /** The level of the lines; by default `info`. */
  readonly level?: 'debug' | 'info'
}

/**
 * Koa middleware that logs a line for each request when its answer has been sent, or its client has gone:
 * `{ requestId, method, path, status, milliseconds }`. The path has no query, because queries may hold what no reader of a log should
 * read later; there are no headers, no bodies and nothing of who asks. `status` is null where no answer was begun.
 *
 * @example
 * import Koa from 'koa'
 * import pino from 'pino'
 *
 * const app = new Koa().use(requestId()).use(accessLog({ logger: pino() }))
 */
export function accessLog({ logger, level = 'info' }: AccessLogOptions): Middleware {
  return (ctx, next) => {
    if (logger.isLevelEnabled?.(level) === false) return next()
    const began = performance.now()
    ctx.res.once('close', () => logger[level](fieldsOf(ctx, performance.now() - began), 'Request'))
    return next()
  }
}

const fieldsOf = (ctx: Context, milliseconds: number): object => ({
  ...requestIdOf(ctx),
  method: ctx.req.method,
  path: pathOf(ctx),
  status: ctx.res.headersSent ? ctx.res.statusCode : null,
  milliseconds: Math.round(milliseconds * 100) / 100,
})
