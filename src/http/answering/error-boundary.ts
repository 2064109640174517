import { randomUUID } from 'node:crypto'
import Koa, { type Context, type Middleware } from 'koa'
import { JsonApiError } from '../../document/error.ts'
import { internalError, statusPhrase } from '../../document/errors.ts'
import { jsonapiOf } from '../../document/profiles.ts'
import type { JsonApiObject } from '../../document/types.ts'
import type { CompiledServer, Logger } from '../../server/compile.ts'
import { pathOf } from '../around/access-log.ts'
import { requestIdOf } from '../around/request-id.ts'
import { appliedTo } from '../incoming/negotiated.ts'
import { loggedError, loggedRefusal } from './logged-error.ts'
import { respond } from './respond.ts'

export interface ErrorBoundaryOptions {
  readonly logger: Logger
  /** Errors say nothing about the inside. */
  readonly production: boolean
  /** The version that the server of this request declares. */
  version(ctx: Context): JsonApiObject['version']
}

/**
 * Turns whatever the middleware after it throws into a JSON:API error document. What nobody foresaw becomes a 500
 * with an id, under which the log has the cause.
 */
export function errorBoundary(options: ErrorBoundaryOptions): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      answer(ctx, toJsonApiError(ctx, error, options), options)
    }
  }
}

/** The boundary around what one server answers. */
export const serverBoundary = ({ logger, production, version }: CompiledServer): Middleware =>
  errorBoundary({ logger, production, version: () => version })

/** Answers a request whose work has not come to its end, and does not wait for it: what comes of it later is not sent. */
export function answerEarly(ctx: Context, error: JsonApiError, { logger, production, version }: CompiledServer): void {
  if (ctx.headerSent || ctx.res.destroyed) return
  const options = { logger, production, version: () => version }
  answer(ctx, toJsonApiError(ctx, error, options), options)
  ctx.respond = false
  ctx.res.end(ctx.method === 'HEAD' ? undefined : ctx.body)
}

/** What the boundary around a server would make of an error, logged as it would be. */
export const toFailure = (
  ctx: Context,
  error: unknown,
  { logger, production, version }: CompiledServer,
): JsonApiError => toJsonApiError(ctx, error, { logger, production, version: () => version })

function answer(ctx: Context, error: JsonApiError, options: ErrorBoundaryOptions): void {
  // It has been answered early.
  if (ctx.res.writableEnded) return
  if (ctx.headerSent) {
    // Half an answer must not look like a whole one.
    ctx.respond = false
    ctx.res.destroy()
    return
  }
  for (const header of ['ETag', 'Last-Modified', 'Location', 'Content-Location', 'Content-Encoding']) ctx.remove(header)
  const jsonapi = jsonapiOf(options.version(ctx), appliedTo(ctx))
  respond(ctx, error.status, { jsonapi, errors: error.errors }, error.headers)
}

function toJsonApiError(ctx: Context, error: unknown, { logger, production }: ErrorBoundaryOptions): JsonApiError {
  const request = { ...requestIdOf(ctx), method: ctx.method, path: pathOf(ctx) }
  const known = error instanceof JsonApiError ? error : fromHttpError(error)
  if (known) {
    const fields = { ...request, status: known.status }
    if (known.status < 500) logger.debug({ ...fields, ...loggedRefusal(known) }, 'Request refused')
    else logger.warn({ ...fields, err: known.cause ?? known }, 'Request failed')
    return known
  }
  const id = randomUUID()
  logger.error({ ...request, id, err: loggedError(error) }, 'Unforeseen error')
  const message = error instanceof Error ? error.message : String(error)
  return internalError(id, production ? undefined : { message })
}

/** What Koa and its middleware throw on purpose (`ctx.throw`); a stranger's error that merely has a status is none. */
function fromHttpError(error: unknown): JsonApiError | null {
  if (!(error instanceof Koa.HttpError) || error.status < 400 || error.status >= 500) return null
  const title = statusPhrase(error.status)
  const hasDetail = error.expose && error.message !== '' && error.message !== title
  return new JsonApiError(error.status, { title, ...(hasDetail && { detail: error.message }) }, { ...error.headers })
}
