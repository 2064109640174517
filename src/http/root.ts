import { jsonapiOf } from '../document/profiles.ts'
import type { Api } from './api.ts'
import { answerMethods, refuseParameters } from './page-requests.ts'
import { respond } from './response/respond.ts'
import type { Handler } from './stage.ts'
import { negotiated } from './stages/negotiate.ts'

/** What a server answers that belongs to no type, by the path below its base path. */
export const ownPaths = (api: Api): ReadonlyMap<string, Handler> =>
  new Map<string, Handler>([['', answerRoot(api)], ...api.plugins.flatMap(({ paths }) => [...(paths?.(api) ?? [])])])

/** The start page of a server: which types it has, and where. */
function answerRoot({ server, plugins }: Api): Handler {
  const describedAt = plugins.find((plugin) => plugin.describedAt !== undefined)?.describedAt
  const isDescribed = server.version === '1.1' && describedAt !== undefined
  const types = [...server.schemas.byType.values()].map((schema) => [
    schema.type,
    { model: schema.model.name, links: { self: `${server.baseUrl}/${schema.type}` } },
  ])
  return (call) => {
    const { koa } = call
    if (answerMethods(koa)) return
    negotiated(call)
    refuseParameters(koa, server)
    respond(koa, 200, {
      jsonapi: jsonapiOf(server.version, call.negotiated),
      links: { self: server.baseUrl, ...(isDescribed && { describedby: server.baseUrl + describedAt }) },
      meta: { types: Object.fromEntries(types) },
    })
  }
}
