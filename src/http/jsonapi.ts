import type { Context, Middleware } from 'koa'
import { once, perform } from '../actions/actions.ts'
import {
  badRequest,
  requestTimeout,
  routeNotFound,
  tooManyHeaders,
  unavailable,
  uriTooLong,
} from '../document/errors.ts'
import { atomicExtension, jsonapiOf } from '../document/profiles.ts'
import { openApiPath, operationsPath } from '../openapi/server-paths.ts'
import { showsMany } from '../request/operation.ts'
import type { CompiledServer } from '../server/compile.ts'
import { tellPlace, tellServer, tellUses } from './answering/deprecation.ts'
import { answerEarly, serverBoundary } from './answering/error-boundary.ts'
import { respond } from './answering/respond.ts'
import { type Api, buildContext } from './build-context.ts'
import { answerOnce, keyOf } from './idempotency.ts'
import { appliedTo, negotiate } from './incoming/negotiated.ts'
import { isReadable } from './incoming/request-url.ts'
import { endingEarly } from './observing/explain.ts'
import { follow } from './observing/follow.ts'
import { answerOperations } from './operations.ts'
import { makeDeadlines } from './pacing/deadlines.ts'
import { browsable, rememberingViewer } from './pages/browse.ts'
import { browseRoutes } from './pages/browse-routes.ts'
import { answerOpenApi } from './pages/openapi.ts'
import { answerMethods, refuseParameters } from './pages/server-page.ts'
import { tellPosition } from './read-position.ts'
import { allowedMethods, findPlace, matchPath, type Target, toOperation } from './routes.ts'

/** One server as Koa middleware. What is not below its base path goes on to the next middleware. */
export function jsonapi(given: Api): Middleware {
  const api = rememberingViewer(given)
  const { server } = api
  const pages = ownPages(api)
  const others = browseRoutes(api)
  const boundary = serverBoundary(server)
  const { urlLength, headers, requestMilliseconds } = server.limits
  // Whoever is late: who asks, or we.
  const deadlines = makeDeadlines(requestMilliseconds, (ctx) =>
    answerEarly(ctx, ctx.req.complete ? unavailable(1) : requestTimeout(), server),
  )
  const find = (ctx: Context): void | Promise<void> => {
    checkUrl(ctx, urlLength)
    if (ctx.req.rawHeaders.length > headers * 2) throw tooManyHeaders(headers)
    const path = ctx.path.slice(server.basePath.length)
    if (server.deprecates) tellServer(ctx, server)
    const page = pages.get(path)
    if (page) return page(ctx)
    const match = matchPath(path)
    if (!match || !server.schemas.byType.has(match.params.type ?? '')) return others(ctx, () => noRoute(ctx))
    return answer(ctx, api, { method: ctx.method, path: ctx.path, ...match })
  }
  const found = server.production ? find : endingEarly(server, find)
  const route = api.replicas ? tellPosition(found, api.replicas, server) : found
  const handle = (ctx: Context): Promise<void> =>
    boundary(ctx, async () => {
      const watched = deadlines.start(ctx)
      try {
        await route(ctx)
      } finally {
        watched.end()
      }
    })
  const followed = browsable(api, follow(api, { handle, isPage: (path) => pages.has(path) }))
  return (ctx, next) => (isReadable(ctx) && !isBelow(ctx, server) ? next() : followed(ctx))
}

async function noRoute({ path }: Context): Promise<never> {
  throw routeNotFound(path)
}

type Page = (ctx: Context) => void | Promise<void>

/** What a server answers that belongs to no type, by the path below its base path. */
const ownPages = (api: Api): ReadonlyMap<string, Page> =>
  new Map<string, Page>([
    ['', (ctx) => answerRoot(ctx, api)],
    [openApiPath, (ctx) => answerOpenApi(ctx, api)],
    ...(api.server.known.ext.includes(atomicExtension)
      ? [[operationsPath, (ctx: Context) => answerOperations(ctx, api)] as const]
      : []),
  ])

function isBelow(ctx: Context, { basePath, host }: CompiledServer): boolean {
  const { path } = ctx
  if (!path.startsWith(basePath)) return false
  return (path.length === basePath.length || path[basePath.length] === '/') && (host === null || ctx.hostname === host)
}

async function answer(ctx: Context, api: Api, target: Target): Promise<void> {
  const { schemas } = api.server
  if (api.server.deprecates) tellPlace(ctx, api.server, findPlace(schemas, target))
  if (ctx.method === 'OPTIONS') return respond(ctx, 204, null, { Allow: allowedMethods(schemas, target).join(', ') })
  const operation = toOperation(schemas, target)
  if (api.server.deprecates) tellUses(ctx, api.server, operation)
  const context = await buildContext(ctx, api, operation)
  if (api.server.deprecates && context.body !== undefined) tellUses(ctx, api.server, operation, context.body)
  const turn = api.turns.end(ctx.req.socket, showsMany(operation))
  if (turn) await turn
  const key = keyOf(ctx, api)
  if (key !== null) return answerOnce(ctx, api, { key, ctx: context, work: (inside) => once(inside, operation) })
  const { status, document, headers, version } = await perform(context, operation)
  respond(ctx, status, document, headers, api.server.etags ? version : undefined)
}

/** The start page of a server: which types it has, and where. */
function answerRoot(ctx: Context, { server }: Api): void {
  if (answerMethods(ctx)) return
  negotiate(ctx, server)
  refuseParameters(ctx, server)
  const types = [...server.schemas.byType.values()].map((schema) => [
    schema.type,
    { model: schema.model.name, links: { self: `${server.baseUrl}/${schema.type}` } },
  ])
  respond(ctx, 200, {
    jsonapi: jsonapiOf(server.version, appliedTo(ctx)),
    links: { self: server.baseUrl, ...(server.version === '1.1' && { describedby: server.baseUrl + openApiPath }) },
    meta: { types: Object.fromEntries(types) },
  })
}

function checkUrl(ctx: Context, limit: number): void {
  if (!isReadable(ctx)) throw badRequest('The request target is no URL.')
  if (ctx.originalUrl.length > limit) throw uriTooLong()
  try {
    if (ctx.path.includes('%')) decodeURIComponent(ctx.path)
  } catch {
    throw badRequest('The path has a malformed percent-encoding.')
  }
}
