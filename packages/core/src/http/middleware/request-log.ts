import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import type { Logger } from '../../server/logger.ts'
import { pathOf } from '../call.ts'

/** What other systems write for ids, and nothing that means something in a log or a header. */
const pattern = /^[\w.:~+/=@-]{1,128}$/

/**
 * Koa middleware that gives each request an id: that of its `X-Request-Id`, where this is 1 to 128 letters, digits and
 * `. _ : ~ + / = @ -`, or a new UUID. Every line that the framework logs about the request has it as `requestId`.
 * Others find it in `ctx.state.requestId`. The answer repeats the client's as `X-Request-Id`, and is silent about a new
 * one, so that the same request has the same answer.
 *
 * Mount it before all others.
 *
 * @example
 * import Koa from 'koa'
 *
 * const app = new Koa().use(requestId())
 */
export const requestId = (): Middleware => (ctx, next) => {
  const sent = ctx.req.headers['x-request-id']
  const isTaken = typeof sent === 'string' && pattern.test(sent)
  if (isTaken) ctx.res.setHeader('X-Request-Id', sent)
  ctx.state.requestId = isTaken ? sent : randomUUID()
  if (isTaken) ctx.state.requestSource = 'client'
  return next()
}

/** The id of a request, as a field of what is logged about it; nothing where it has none. */
export const requestIdOf = ({ state }: Context): { readonly requestId?: string } =>
  state.requestId === undefined ? none : { requestId: state.requestId }

const none = Object.freeze({})

/** What `accessLog` is told. */
export interface AccessLogOptions {
  /** Where the lines go. */
  readonly logger: Logger
  /** The level of the lines; by default `info`. */
  readonly level?: 'debug' | 'info'
}

/**
 * Koa middleware that logs a line for each request when its answer has been sent, or its client has gone:
 * `{ requestId, method, path, status, milliseconds }`. The path has no query, because queries may hold what no reader
 * of a log should read later; there are no headers, no bodies and nothing of who asks. `status` is null where no answer
 * was begun.
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
    // As it was sent: a QUERY goes on as the GET that it stands for.
    const { method } = ctx.req
    ctx.res.once('close', () => logger[level](fieldsOf(ctx, method, performance.now() - began), 'Request'))
    return next()
  }
}

const fieldsOf = (ctx: Context, method: string | undefined, milliseconds: number): object => ({
  ...requestIdOf(ctx),
  method,
  path: pathOf(ctx),
  status: ctx.res.headersSent ? ctx.res.statusCode : null,
  milliseconds: Math.round(milliseconds * 100) / 100,
})
