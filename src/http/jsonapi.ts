import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { perform } from '../actions/actions.ts'
import { badRequest, routeNotFound, uriTooLong } from '../document/errors.ts'
import { jsonapiOf } from '../document/profiles.ts'
import { openApiPath } from '../openapi/server-paths.ts'
import { isReading } from '../request/operation.ts'
import type { CompiledServer } from '../server/compile.ts'
import { type Api, buildContext } from './build-context.ts'
import { serverBoundary } from './error-boundary.ts'
import { appliedTo, negotiate } from './negotiated.ts'
import { answerOpenApi, isOpenApi } from './openapi.ts'
import { answerOperations, isOperations } from './operations.ts'
import { respond } from './respond.ts'
import { allowedMethods, type PathParams, patterns, type Target, toOperation } from './routes.ts'
import { answerMethods, refuseParameters } from './server-page.ts'

/** One server as Koa middleware. What is not below its base path goes on to the next middleware. */
export function jsonapi(api: Api): Middleware {
  const { server } = api
  const router = new Router({ prefix: server.basePath, sensitive: true, strict: true })
  for (const pattern of patterns)
    router.all(pattern, (ctx) =>
      answer(ctx, api, { method: ctx.method, path: ctx.path, pattern, params: ctx.params as PathParams }),
    )
  const boundary = serverBoundary(server)
  const routes = router.routes()
  return (ctx, next) => {
    if (isReadable(ctx) && !isBelow(ctx, server)) return next()
    return boundary(ctx, async () => {
      checkUrl(ctx, server.limits.urlLength)
      // The router has no pattern for a prefix alone, without a slash behind it.
      if (ctx.path === server.basePath) return answerRoot(ctx, api)
      if (isOpenApi(ctx, server)) return answerOpenApi(ctx, server)
      if (isOperations(ctx, server)) return answerOperations(ctx, api)
      await routes(ctx as never, () => {
        throw routeNotFound(ctx.path)
      })
    })
  }
}

/** Has the request a target that an URL can be made of; Koa throws where it has none. */
const isReadable = ({ req: { url = '' } }: Context): boolean =>
  plainPath.test(url) || URL.canParse(url, 'http://localhost')

/** What almost every request asks for, and what is told faster than by parsing it. */
const plainPath = /^\/[\w-][\w\-./?=&%,]*$/

const isBelow = ({ path, hostname }: Context, { basePath, host }: CompiledServer): boolean =>
  (path === basePath || path.startsWith(`${basePath}/`)) && (host === null || hostname === host)

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
    decodeURIComponent(ctx.path)
  } catch {
    throw badRequest('The path has a malformed percent-encoding.')
  }
}
