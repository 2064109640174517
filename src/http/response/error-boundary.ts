import { randomUUID } from 'node:crypto'
import Koa, { type Context, type Middleware } from 'koa'
import { brokenName, unavailableDatabase } from '../../database/prisma/database-errors.ts'
import { JsonApiError } from '../../document/error.ts'
import { internalError, statusPhrase } from '../../document/errors.ts'
import { toldIn } from '../../document/language.ts'
import { type Extensions, jsonapiOf, noExtensions } from '../../document/profiles.ts'
import type { JsonApiObject } from '../../document/types.ts'
import type { CompiledServer } from '../../server/compile.ts'
import type { Logger } from '../../server/logger.ts'
import type { LanguageOf } from '../api.ts'
import type { Call } from '../call.ts'
import { requestIdOf } from '../middleware/request-id.ts'
import { pathOf } from '../request/request-url.ts'
import type { HttpStage } from '../stage.ts'
import { loggedError, loggedRefusal } from './logged-error.ts'
import { respond } from './respond.ts'

export interface ErrorBoundaryOptions {
  readonly logger: Logger
  /** Errors say nothing about the inside. */
  readonly production: boolean
  /** The version that the server of this request declares. */
  version(ctx: Context): JsonApiObject['version']
  /** Null where errors are told in English. */
  readonly languageOf?: LanguageOf | null
}

/**
 * Turns whatever the middleware after it throws into a JSON:API error document. An unforeseen error becomes a 500
 * with an id, under which the log has the cause.
 */
export function errorBoundary(options: ErrorBoundaryOptions): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      answer(ctx, toJsonApiError(ctx, error, options), options, noExtensions)
    }
  }
}

/** The boundary around what one server answers, as a stage. */
export const answerErrors: HttpStage = (next) => async (call) => {
  try {
    await next(call)
  } catch (error) {
    answerCall(call, error)
  }
}

/** Answers a call whose work has not come to its end, and does not wait for it: what comes of it later is not sent. */
export function answerEarly(call: Call, error: JsonApiError): void {
  const { koa } = call
  if (koa.headerSent || koa.res.destroyed) return
  answerCall(call, error)
  koa.respond = false
  koa.res.end(koa.method === 'HEAD' ? undefined : koa.body)
}

/** What the boundary around a server would make of an error, logged as it would be. */
export const toFailure = ({ koa, api }: Call, error: unknown): JsonApiError =>
  toJsonApiError(koa, error, optionsOf(api.server))

/** An error in the language of who asked. */
export const toldTo = ({ koa, api }: Call, error: JsonApiError): JsonApiError =>
  api.languageOf ? toldBy(api.languageOf, koa, error) : error

/** The texts in the language that the request prefers, which the headers name. */
function toldBy(languageOf: LanguageOf, ctx: Context, error: JsonApiError): JsonApiError {
  ctx.vary('Accept-Language')
  const language = languageOf(ctx)
  return error.toldBy((text) => toldIn(language, text), { 'Content-Language': language.tag })
}

const optionsOf = ({ logger, production, version }: CompiledServer): ErrorBoundaryOptions => ({
  logger,
  production,
  version: () => version,
})

function answerCall({ koa, api, negotiated }: Call, error: unknown): void {
  const options = { ...optionsOf(api.server), languageOf: api.languageOf }
  answer(koa, toJsonApiError(koa, error, options), options, negotiated)
}

function answer(ctx: Context, error: JsonApiError, options: ErrorBoundaryOptions, negotiated: Extensions): void {
  // It has been answered early.
  if (ctx.res.writableEnded) return
  if (ctx.headerSent) {
    // Half an answer must not look like a whole one.
    ctx.respond = false
    ctx.res.destroy()
    return
  }
  for (const header of ['ETag', 'Last-Modified', 'Location', 'Content-Location', 'Content-Encoding']) ctx.remove(header)
  const jsonapi = jsonapiOf(options.version(ctx), negotiated)
  const { status, errors, headers } = options.languageOf ? toldBy(options.languageOf, ctx, error) : error
  respond(ctx, status, { jsonapi, errors }, headers)
}

/** Outside of production, whoever develops the application is told which constraint it is. */
function withConstraint(known: JsonApiError): JsonApiError {
  const constraint = known.errors.some(({ code }) => code === 'constraint') ? brokenName(known.cause) : null
  return constraint === null ? known : known.map((error) => ({ ...error, meta: { ...error.meta, constraint } }))
}

const knownError = (error: unknown): JsonApiError | null =>
  error instanceof JsonApiError ? error : (fromHttpError(error) ?? unavailableDatabase(error))

/** The 4xx that the boundary answers an error with; null for a failure of the server. */
export function refusalIn(error: unknown): JsonApiError | null {
  const known = knownError(error)
  return known && known.status < 500 ? known : null
}

function toJsonApiError(ctx: Context, error: unknown, { logger, production }: ErrorBoundaryOptions): JsonApiError {
  const request = { ...requestIdOf(ctx), method: ctx.method, path: pathOf(ctx) }
  const known = knownError(error)
  if (known) {
    const fields = { ...request, status: known.status }
    if (known.status < 500) logger.debug({ ...fields, ...loggedRefusal(known) }, 'Request refused')
    else logger.warn({ ...fields, err: known.cause ?? known }, 'Request failed')
    return production ? known : withConstraint(known)
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
