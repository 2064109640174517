import type { Feature } from '@prismapi/core/api/feature'
import type { Call } from '@prismapi/core/http/call'
import type { HttpStage } from '@prismapi/core/http/plugin'
import { readBytes } from '@prismapi/core/http/request/body'
import { parseMediaType } from '@prismapi/core/http/request/headers'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { badParameter, badRequest, methodNotAllowed, unsupportedQueryType } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { bytesSeal } from '@prismapi/jsonapi/pagination/bytes-seal'
import { compiledQuery } from './compiled-query.ts'
import { isSealed, type LongLinks, longLinks } from './long-links.ts'

const mediaType = 'application/x-www-form-urlencoded'
const acceptQuery = `"${mediaType}"`

/**
 * Clients send QUERY (RFC 10008) to every URL that they may GET: the body is the query string, and the response is that
 * of GET. It needs no option.
 */
export const queryMethod: Feature = {
  compiled: compiledQuery,
  serve({ options: { cursorSecret = null } }) {
    const links = longLinks(bytesSeal(cursorSecret, 'prismapi queries'))
    const asked = ask(links)
    return () => ({
      around: allowQuery,
      located: (next, api) => tellMethods(asked(next, api), api),
      page: { shorten: links.shorten },
    })
  },
}

const isQuery = ({ koa }: Call): boolean => koa.method === 'QUERY'

const isReadable = ({ page, route }: Call): boolean =>
  page !== null || (route !== null && Object.hasOwn(route.kinds, 'GET'))

/** `Allow`, which names the methods of a path, names this one as well. */
const allowQuery: HttpStage = (next) => async (call) => {
  await next(call)
  const { koa } = call
  const methods = String(koa.res.getHeader('Allow') ?? '')
  if (methods !== '' && !namesQuery.test(methods) && isReadable(call) && !koa.headerSent)
    koa.set('Allow', `${methods}, QUERY`)
}

const namesQuery = /\bQUERY$/

/** The error for a method that the path does not have names it, too. */
const tellMethods: HttpStage = (next) => async (call) => {
  try {
    await next(call)
  } catch (error) {
    const { Allow } = error instanceof JsonApiError && error.status === 405 ? error.headers : noHeaders
    if (Allow === undefined || !isReadable(call)) throw error
    throw methodNotAllowed(call.koa.method, call.koa.path, [...Allow.split(', '), 'QUERY'])
  }
}

const noHeaders: JsonApiError['headers'] = Object.freeze({})

const ask =
  (links: LongLinks): HttpStage =>
  (next, { server }) =>
  (call) => {
    const { koa } = call
    if (!isReadable(call)) return next(call)
    koa.set('Accept-Query', acceptQuery)
    if (isQuery(call)) return readBody(call, server.limits.queryBytes).then((query) => next(asking(call, query, links)))
    return isSealedGet(call) ? next(asking(call, openSeal(call, links), links)) : next(call)
  }

/** The call goes on as the GET that it stands for. */
function asking(call: Call, query: string, links: LongLinks): Call {
  call.ask(query, links.writerFor(query))
  return call
}

/**
 * The query string that was sent.
 *
 * @throws {JsonApiError} 400, 413, 415
 */
async function readBody(call: Call, limit: number): Promise<string> {
  const { koa } = call
  if (koa.search !== '') throw badRequest(say`A QUERY request has its parameters in its body, and none in its URL.`)
  const { headers } = koa.req
  if (parseMediaType(headers['content-type'] ?? '')?.name !== mediaType) throw unsupportedQueryType(mediaType)
  const text = (await readBytes(call, limit)).toString('latin1')
  if (!isQueryString.test(text))
    throw badRequest(say`The body of a QUERY request has a character that must be percent-encoded.`)
  return text
}

/** Of the characters that a URL cannot have as they are; `#` would end its query. */
const isQueryString = /^[\x21\x22\x24-\x7e]*$/

const isSealedGet = ({ koa: { method, search } }: Call): boolean =>
  (method === 'GET' || method === 'HEAD') && isSealed(search)

/** @throws {JsonApiError} 400 */
function openSeal(call: Call, links: LongLinks): string {
  const parameters = [...new URLSearchParams(call.koa.search)]
  if (parameters.length > 1)
    throw badParameter('query', say`Query parameter query holds all parameters, and stands alone.`)
  const query = links.open(call, parameters[0]?.[1] ?? '')
  if (query === null) throw badParameter('query', say`Query parameter query must be one that a link to this URL has.`)
  return query
}
