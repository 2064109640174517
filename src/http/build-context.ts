import type { Context } from 'koa'
import { abilitiesFor } from '../auth/ability.ts'
import { visibleTrash } from '../auth/trash.ts'
import { viewableRows } from '../auth/viewable.ts'
import { invalidJson } from '../document/errors.ts'
import { isPromise } from '../model/awaitable.ts'
import type { RequestContext } from '../request/context.ts'
import { hookRequest } from '../request/hook-request.ts'
import { isModifyingRelationship, isReading, type Operation } from '../request/operation.ts'
import type { Telemetry } from '../request/telemetry.ts'
import type { CompiledServer } from '../server/compile.ts'
import { serve } from '../server/serving.ts'
import { tellingLateFailures } from '../store/around/late-failures.ts'
import { tracedStore } from '../store/around/traced-store.ts'
import { whileAwaited } from '../store/around/while-awaited.ts'
import type { ReplicaStores } from '../store/replicas/replica-stores.ts'
import type { Store } from '../store/store.ts'
import { preconditionOf } from './answering/etag.ts'
import { loggedError } from './answering/logged-error.ts'
import { requestIdOf } from './around/request-id.ts'
import type { Idempotency } from './idempotency.ts'
import { hasBody, readBody } from './incoming/body.ts'
import { appliedTo, negotiate } from './incoming/negotiated.ts'
import { requestUrl } from './incoming/request-url.ts'
import { type ExplainedStores, explainedStore } from './observing/explain.ts'
import { tracingOf } from './observing/tracing-of.ts'
import type { Turns } from './pacing/turns.ts'
import { neededPosition } from './read-position.ts'

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
  /** Null where the server keeps no answers. */
  readonly idempotency: Idempotency | null
  /** Null where nobody wants to know. */
  readonly telemetry: Telemetry | null
  /** Null where there are none. */
  readonly replicas: ReplicaStores | null
  /** Left out where no request may be explained. */
  readonly explained?: ExplainedStores
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
  if (isReading(operation)) return requestContext(koa, readingApi(koa, api), { user, body })
  return requestContext(koa, writingApi(koa, api), { user, body, precondition: preconditionOf(koa.req) })
}

/** A request that only reads may be read from a replica. */
const readingApi = ({ req }: Context, api: Api): Api =>
  api.replicas === null ? api : { ...api, store: api.replicas.reading(neededPosition(req.headers)) }

/** What is written is undone when its client has gone, or was told that it took too long. */
export function writingApi(koa: Context, api: Api): Api {
  const { res } = koa
  const request = requestIdOf(koa)
  const { logger } = api.server
  const told =
    request.requestId === undefined
      ? api.store
      : tellingLateFailures(api.store, (err) =>
          logger.error({ ...request, err: loggedError(err) }, 'Work after a commit failed'),
        )
  return { ...api, store: whileAwaited(told, () => !res.headersSent && !res.destroyed) }
}

/** Who is asking; null for a guest. */
export const userOf = async (koa: Context, { authenticate }: Api): Promise<unknown> => (await authenticate(koa)) ?? null

type Sent = Pick<RequestContext, 'user' | 'body'> & Partial<Pick<RequestContext, 'precondition'>>

/** The serving phase, and what it leads to. */
export async function requestContext(
  koa: Context,
  { server, store: shared, explained }: Api,
  { user, body, precondition = null }: Sent,
): Promise<RequestContext> {
  const { method } = koa
  const tracing = tracingOf(koa)
  const store = tracing ? tracedStore(explainedStore(koa, shared, explained), tracing) : shared
  const at = requestUrl(koa, server.baseUrl)
  const abilityOf = abilitiesFor(server, user, store.reader)
  const asked = visibleTrash({ server, user, abilityOf })
  const trash = isPromise(asked) ? await asked : asked
  const serving = serve(hookRequest({ user, method, at }), server, {
    trash,
    viewable: viewableRows({ server, abilityOf }),
  })
  const served = isPromise(serving) ? await serving : serving
  tracing?.explaining?.began({ user, scopes: served.scopes })
  return Object.freeze({
    user,
    method,
    at,
    server,
    store,
    applied: appliedTo(koa),
    served,
    body,
    limits: server.limits,
    abilityOf,
    precondition,
    tracing,
  })
}
