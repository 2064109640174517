import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { requestTimeout, statusPhrase, unavailable } from '@prismapi/jsonapi/document/errors'
import { translateText } from '@prismapi/jsonapi/document/text'
import { type Extensions, type JsonApiObject, jsonapiOf, noExtensions } from '@prismapi/jsonapi/document/types'
import Koa, { type Context, type Middleware } from 'koa'
import type { CompiledServer } from '../../server/compile.ts'
import { failureOf, knownFailure } from '../../server/failure.ts'
import type { Logger } from '../../server/logger.ts'
import type { LanguageOf } from '../api.ts'
import { type Call, pathOf } from '../call.ts'
import { requestIdOf } from '../middleware/request-log.ts'
import type { HttpStage } from '../plugin.ts'
import { makeDeadlines } from '../throttling.ts'
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
function answerEarly(call: Call, error: JsonApiError): void {
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
export const translateFor = ({ koa, api }: Call, error: JsonApiError): JsonApiError =>
  api.languageOf ? translateBy(api.languageOf, koa, error) : error

/** The texts in the language that the request prefers, which the headers name. */
function translateBy(languageOf: LanguageOf, ctx: Context, error: JsonApiError): JsonApiError {
  ctx.vary('Accept-Language')
  const language = languageOf(ctx)
  return error.translated((text) => translateText(language, text), { 'Content-Language': language.tag })
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
  const { status, errors, headers } = options.languageOf ? translateBy(options.languageOf, ctx, error) : error
  respond(ctx, status, { jsonapi, errors }, headers)
}

const knownError = (error: unknown): JsonApiError | null => fromHttpError(error) ?? knownFailure(error)

/** The 4xx that the boundary answers an error with; null for a failure of the server. */
export function refusalIn(error: unknown): JsonApiError | null {
  const known = knownError(error)
  return known && known.status < 500 ? known : null
}

function toJsonApiError(ctx: Context, error: unknown, options: ErrorBoundaryOptions): JsonApiError {
  const request = { ...requestIdOf(ctx), method: ctx.method, path: pathOf(ctx) }
  return failureOf({ error, known: knownError(error), request }, options)
}

/** What Koa and its middleware throw on purpose (`ctx.throw`); a stranger's error that merely has a status is none. */
function fromHttpError(error: unknown): JsonApiError | null {
  if (!(error instanceof Koa.HttpError) || error.status < 400 || error.status >= 500) return null
  const title = statusPhrase(error.status)
  const hasDetail = error.expose && error.message !== '' && error.message !== title
  return new JsonApiError(error.status, { title, ...(hasDetail && { detail: error.message }) }, { ...error.headers })
}

/**
 * Answers what takes too long: 408 if the client is still sending, 503 if the server is slow. A client that is slow to
 * read its answer is cut off. To save memory, a client with too many unread answers gets 503: writes are refused before
 * they begin, reads get the 503 instead of their document.
 */
export const limitTime: HttpStage = (next, { server, slowReaders, dearRequests }) => {
  const deadlines = makeDeadlines(server.limits.requestMilliseconds, (call: Call) =>
    answerEarly(call, call.koa.req.complete ? unavailable(1) : requestTimeout()),
  )
  return async (call) => {
    if (call.mayWrite && slowReaders.isFull(call.koa)) {
      answerEarly(call, unavailable(1))
      return
    }
    const watched = deadlines.start(call)
    call.place = dearRequests.placeFor(call.koa)
    try {
      await next(call)
    } finally {
      watched.end()
      call.place.leave()
    }
    if (!slowReaders.watch(call.koa, call.mayWrite)) answerEarly(call, unavailable(1))
  }
}
