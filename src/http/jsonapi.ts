import type { Context, Middleware } from 'koa'
import { perform } from '../actions/actions.ts'
import { badRequest, routeNotFound, uriTooLong } from '../document/errors.ts'
import { atomicExtension, jsonapiOf } from '../document/profiles.ts'
import { openApiPath, operationsPath } from '../openapi/server-paths.ts'
import { isReading } from '../request/operation.ts'
import type { CompiledServer } from '../server/compile.ts'
import { type Api, buildContext } from './build-context.ts'
import { serverBoundary } from './error-boundary.ts'
import { appliedTo, negotiate } from './negotiated.ts'
import { answerOpenApi } from './openapi.ts'
import { answerOperations } from './operations.ts'
import { isPlain } from './request-url.ts'
import { respond } from './respond.ts'
import { allowedMethods, matchPath, type Target, toOperation } from './routes.ts'
import { answerMethods, refuseParameters } from './server-page.ts'

/** One server as Koa middleware. What is not below its base path goes on to the next middleware. */
export function jsonapi(api: Api): Middleware {
  const { server } = api
  const pages = ownPages(api)
  const boundary = serverBoundary(server)
  return (ctx, next) => {
    if (isReadable(ctx) && !isBelow(ctx, server)) return next()
    return boundary(ctx, async () => {
      checkUrl(ctx, server.limits.urlLength)
      const path = ctx.path.slice(server.basePath.length)
      const page = pages.get(path)
      if (page) return page(ctx)
      const match = matchPath(path)
      if (!match) throw routeNotFound(ctx.path)
      return answer(ctx, api, { method: ctx.method, path: ctx.path, ...match })
    })
  }
}

type Page = (ctx: Context) => void | Promise<void>

/** What a server answers that belongs to no type, by the path below its base path. */
const ownPages = (api: Api): ReadonlyMap<string, Page> =>
  new Map<string, Page>([
    ['', (ctx) => answerRoot(ctx, api)],
    [openApiPath, (ctx) => answerOpenApi(ctx, api.server)],
    ...(api.server.known.ext.includes(atomicExtension)
      ? [[operationsPath, (ctx: Context) => answerOperations(ctx, api)] as const]
      : []),
  ])

/** Has the request a target that an URL can be made of; Koa throws where it has none. */
const isReadable = ({ req: { url = '' } }: Context): boolean => isPlain(url) || URL.canParse(url, 'http://localhost')

function isBelow(ctx: Context, { basePath, host }: CompiledServer): boolean {
  const { path } = ctx
  if (!path.startsWith(basePath)) return false
  return (path.length === basePath.length || path[basePath.length] === '/') && (host === null || ctx.hostname === host)
}

async function answer(ctx: Context, api: Api, target: Target): Promise<void> {
  const { schemas } = api.server
  if (ctx.method === 'OPTIONS') return respond(ctx, 204, null, { Allow: allowedMethods(schemas, target).join(', ') })
  const operation = toOperation(schemas, target)
  const context = await buildContext(ctx, api, operation)
  const turn = isReading(operation) ? api.turns.end(ctx.req.socket) : null
  if (turn) await turn
  const { status, document, headers } = await perform(context, operation)
  respond(ctx, status, document, headers)
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
