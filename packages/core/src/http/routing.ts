import {
  badParameter,
  badRequest,
  forbidden,
  methodNotAllowed,
  routeNotFound,
  tooManyHeaders,
  uriTooLong,
} from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { atomicExtension, jsonapiOf } from '@prismapi/jsonapi/document/types'
import { memo } from '@prismapi/jsonapi/model/memo'
import { throwAny } from '@prismapi/jsonapi/query/failures'
import { notAllowed, parseParameters } from '@prismapi/jsonapi/query/parameters'
import { findOperation, findRoute, operationsPath, writesRelationship } from '@prismapi/jsonapi/request/operation'
import type { Context } from 'koa'
import type { CompiledServer } from '../server/compile.ts'
import type { Api } from './api.ts'
import { isReadable } from './call.ts'
import { negotiateExtensions } from './negotiation.ts'
import { compose, type Handler, type HttpStage, stagesAt } from './plugin.ts'
import { respond } from './response/respond.ts'

/** Finds out what a path is about. It refuses nothing: what is wrong with it is told in its time. */
export const locate: HttpStage = (next, api) => {
  const { schemas, supportedExtensions } = api.server
  const pages = ownPaths(api)
  const isAtomic = supportedExtensions.ext.includes(atomicExtension)
  return (call) => {
    const { koa } = call
    if (!isReadable(koa)) return next(call)
    const path = koa.path.slice(call.api.server.basePath.length).replace(/\/$/, '')
    call.path = path
    call.page = pages.get(path) ?? null
    call.isAtomic = isAtomic && path === operationsPath
    call.route = call.page || call.isAtomic ? null : findRoute(schemas, path)
    call.operation = call.route && findOperation(call.route, koa.method)
    return next(call)
  }
}

/** Answers what belongs to the server itself, and to no type. */
export const answerOwnPaths: HttpStage = (next, api) => {
  const answerUnrouted = compose(api, [...stagesAt(api, 'unrouted'), refusePath])
  return (call) => {
    if (call.route || call.isAtomic) return next(call)
    return call.page ? call.page(call) : answerUnrouted(call)
  }
}

const refusePath: HttpStage = () => (call) => {
  throw routeNotFound(call.koa.path)
}

/** What a server answers that belongs to no type, by the path below its base path. */
const ownPaths = (api: Api): ReadonlyMap<string, Handler> =>
  new Map<string, Handler>([['', answerRoot(api)], ...api.plugins.flatMap(({ paths }) => [...(paths?.(api) ?? [])])])

/** The start page of a server: which types it has, and where. */
function answerRoot({ plugins }: Api): Handler {
  const describedAt = plugins.find((plugin) => plugin.describedAt !== undefined)?.describedAt
  const typesOf = memo((server: CompiledServer) =>
    Object.fromEntries(
      [...server.schemas.byType.values()].map((schema) => [
        schema.type,
        { model: schema.model.name, links: { self: `${server.baseUrl}/${schema.type}` } },
      ]),
    ),
  )
  return (call) => {
    const { koa, api } = call
    const { server } = api
    const isDescribed = server.version === '1.1' && describedAt !== undefined
    if (answerMethods(koa)) return
    negotiateExtensions(call)
    refuseParameters(koa, server)
    respond(koa, 200, {
      jsonapi: jsonapiOf(server.version, call.negotiated),
      links: { self: server.baseUrl, ...(isDescribed && { describedby: server.baseUrl + describedAt }) },
      meta: { types: typesOf(server) },
    })
  }
}

const atomicMethods: readonly string[] = ['POST']

/**
 * Answers OPTIONS, and refuses methods that a path does not have: 405, or 403 where they would change a relationship.
 *
 * @see https://jsonapi.org/format/1.1/#crud-updating-relationship-responses-403
 */
export const checkMethod: HttpStage =
  (next, { server }) =>
  (call) => {
    const { koa, route, operation } = call
    const { method } = koa
    const isServed = call.isAtomic ? method === 'POST' : operation !== null
    if (isServed) return next(call)
    const methods = route ? Object.keys(route.kinds) : atomicMethods
    const relation = route && !server.readOnly && writesRelationship(route, method)
    if (relation) throw forbidden(say`The relationship ${relation.name} cannot be changed here.`)
    if (method !== 'OPTIONS') throw methodNotAllowed(method, koa.path, methods)
    respond(koa, 204, null, { Allow: methods.join(', ') })
  }

const reading: readonly string[] = ['GET', 'HEAD']

/**
 * Answers what asks a page of the server itself for its methods: those of reading, unless others are given.
 *
 * @returns true where that was the question.
 * @throws {JsonApiError} 405 for a method that it does not have.
 */
export function answerMethods(ctx: Context, methods = reading): boolean {
  if (methods.includes(ctx.method)) return false
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(ctx.method, ctx.path, methods)
  respond(ctx, 204, null, { Allow: methods.join(', ') })
  return true
}

/**
 * The types that a page of the server is to be about, by `types=posts,users`; null for all.
 *
 * @param others names of parameters that the page has beside that one
 * @throws {JsonApiError} 400 for a type that the server does not have, and for every other parameter.
 */
export function parseTypes(
  { search }: Context,
  server: CompiledServer,
  others: readonly string[] = [],
): ReadonlySet<string> | null {
  const { limits, ignoresUnknownParameters, schemas } = server
  const sent = parseParameters({ search }, limits).filter(({ key }) => !others.includes(key))
  const [asked, unknown] = partition(sent, ({ key }) => key === 'types')
  if (!ignoresUnknownParameters) throwAny(unknown.map(({ key }) => notAllowed(key)))
  if (asked.length === 0) return null
  const types = new Set(asked.flatMap(({ value }) => value.split(',')))
  throwAny([...types].filter((type) => !schemas.byType.has(type)).map(unknownType))
  return types
}

const unknownType = (type: string) => badParameter('types', say`The server has no resource type ${type}.`)

const partition = <T>(all: readonly T[], test: (each: T) => boolean): readonly [T[], T[]] => [
  all.filter(test),
  all.filter((each) => !test(each)),
]

/** There is nothing to ask of a page of the server itself. */
function refuseParameters({ search }: Context, { limits, ignoresUnknownParameters }: CompiledServer): void {
  if (ignoresUnknownParameters) return
  throwAny(parseParameters({ search }, limits).map(({ key }) => notAllowed(key)))
}

/** Refuses request targets that are no URL, or too long, and too many headers: 400, 414, 431. */
export const limitRequest: HttpStage = (next, { server }) => {
  const { urlLength, headers } = server.limits
  return (call) => {
    const { koa } = call
    checkUrl(koa, urlLength)
    if (koa.req.rawHeaders.length > headers * 2) throw tooManyHeaders(headers)
    return next(call)
  }
}

function checkUrl(koa: Context, limit: number): void {
  if (!isReadable(koa)) throw badRequest(say`The request target is no URL.`)
  if (koa.originalUrl.length > limit) throw uriTooLong()
  try {
    if (koa.path.includes('%')) decodeURIComponent(koa.path)
  } catch {
    throw badRequest(say`The path has a malformed percent-encoding.`)
  }
}
