import type { Context } from 'koa'
import { abilitiesFor } from '../auth/ability.ts'
import { visibleTrash } from '../auth/trash.ts'
import { viewableRows } from '../auth/viewable.ts'
import { invalidJson } from '../document/errors.ts'
import { isPromise } from '../model/awaitable.ts'
import type { RequestContext } from '../request/context.ts'
import { isModifyingRelationship, type Operation } from '../request/operation.ts'
import type { CompiledServer } from '../server/compile.ts'
import { serve } from '../server/serving.ts'
import type { Store } from '../store/store.ts'
import { hasBody, readBody } from './body.ts'
import { appliedTo, negotiate } from './negotiated.ts'
import { requestUrl } from './request-url.ts'
import type { Turns } from './turns.ts'

/**
 * Who is asking: the user, or null for a guest.
 * @throws {JsonApiError} 401, made by `unauthorized`, for credentials that are present and wrong.
 */
export type Authenticate = (ctx: Context) => unknown

export interface Api {
  readonly server: CompiledServer
  readonly store: Store
  readonly authenticate: Authenticate
  readonly turns: Turns
}

/** Everything before the action, in the order of D2: negotiation, who is asking, the body, the serving phase. */
export async function buildContext(koa: Context, api: Api, operation: Operation): Promise<RequestContext> {
  const { server } = api
  const needsBody = operation.kind === 'create' || operation.kind === 'update' || isModifyingRelationship(operation)
  const mayHaveBody = operation.kind === 'action' && operation.action.method !== 'GET'
  negotiate(koa, server)
  const user = await userOf(koa, api)
  if (needsBody && !hasBody(koa.req)) throw invalidJson('Expecting JSON to decode.')
  const isRead = needsBody || (mayHaveBody && hasBody(koa.req))
  const body = isRead ? await readBody(koa, server.limits) : undefined
  return requestContext(koa, api, { user, body })
}

/** Who is asking; null for a guest. */
export const userOf = async (koa: Context, { authenticate }: Api): Promise<unknown> => (await authenticate(koa)) ?? null

/** The serving phase, and what it leads to. */
export async function requestContext(
  koa: Context,
  { server, store }: Api,
  { user, body }: { readonly user: unknown; readonly body: unknown },
): Promise<RequestContext> {
  const { method } = koa
  const at = requestUrl(koa, server.baseUrl)
  const abilityOf = abilitiesFor(server, user, store.reader)
  const asked = visibleTrash({ server, user, abilityOf })
  const trash = isPromise(asked) ? await asked : asked
  const request = {
    user,
    method,
    get url() {
      return at.url
    },
  }
  const serving = serve(request, server, { trash, viewable: viewableRows({ server, abilityOf }) })
  const served = isPromise(serving) ? await serving : serving
  return Object.freeze({
    user,
    method,
    get url() {
      return at.url
    },
    search: at.search,
    server,
    store,
    applied: appliedTo(koa),
    served,
    body,
    limits: server.limits,
    abilityOf,
  })
}
