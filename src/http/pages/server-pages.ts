import { jsonapiOf } from '../../document/profiles.ts'
import { openApiPath } from '../../openapi/server-paths.ts'
import type { Api } from '../api.ts'
import type { Call } from '../call.ts'
import { respond } from '../response/respond.ts'
import type { Handler } from '../stage.ts'
import { negotiated } from '../stages/negotiate.ts'
import { openApi } from './openapi.ts'
import { answerMethods, refuseParameters } from './page-requests.ts'

/** What every server answers that belongs to no type, by the path below its base path. */
export const serverPages = (api: Api): ReadonlyMap<string, Handler> =>
  new Map<string, Handler>([
    ['', answerRoot],
    [openApiPath, openApi(api)],
  ])

/** The start page of a server: which types it has, and where. */
function answerRoot(call: Call): void {
  const { koa, api } = call
  const { server } = api
  if (answerMethods(koa)) return
  negotiated(call)
  refuseParameters(koa, server)
  const types = [...server.schemas.byType.values()].map((schema) => [
    schema.type,
    { model: schema.model.name, links: { self: `${server.baseUrl}/${schema.type}` } },
  ])
  respond(koa, 200, {
    jsonapi: jsonapiOf(server.version, call.negotiated),
    links: { self: server.baseUrl, ...(server.version === '1.1' && { describedby: server.baseUrl + openApiPath }) },
    meta: { types: Object.fromEntries(types) },
  })
}
