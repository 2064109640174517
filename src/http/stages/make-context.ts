import { abilitiesFor } from '../../auth/ability.ts'
import { allowedRows, seenFields, viewableRows, visibleTrash } from '../../auth/viewable.ts'
import { observedStore } from '../../database/around/observed-store.ts'
import { isPromise } from '../../model/awaitable.ts'
import { hookRequest } from '../../request/hook-request.ts'
import { isReading } from '../../request/operation.ts'
import { Preparation } from '../../request/preparation.ts'
import type { ServerContext } from '../../server/server-context.ts'
import { serve } from '../../server/serving.ts'
import type { Call } from '../call.ts'
import { preconditionOf } from '../response/etag.ts'
import type { HttpStage } from '../stage.ts'

/** Runs the serving phase, and makes the context that the actions are given. */
export const makeContext: HttpStage = (next) => async (call) => {
  call.context = await contextFor(call)
  await next(call)
}

/** The context of a call whose user is known. */
export async function contextFor(call: Call): Promise<ServerContext> {
  const { koa, api, at, user, body, observer, operation, negotiated } = call
  const { server } = api
  const { method } = koa
  const precondition = operation && !isReading(operation) ? preconditionOf(koa.req) : null
  const asking = api.plugins.reduce((store, plugin) => plugin.store?.(store, call) ?? store, call.store)
  const store = observer ? observedStore(asking, observer) : asking
  const abilityOf = abilitiesFor(server, user, store.reader)
  const visible = visibleTrash({ server, user, abilityOf })
  const trash = isPromise(visible) ? await visible : visible
  const serving = serve(hookRequest({ user, method, at }), server, {
    trash,
    viewable: viewableRows({ server, abilityOf }),
  })
  const served = isPromise(serving) ? await serving : serving
  observer?.served?.({ user, scopes: served.scopes })
  return Object.freeze({
    user,
    method,
    at,
    server,
    store,
    preparation: new Preparation(),
    negotiatedExtensions: negotiated,
    served,
    body,
    limits: server.limits,
    abilityOf,
    seen: seenFields({ server, abilityOf }),
    allowedRows: allowedRows({ server, abilityOf }),
    precondition,
    observer,
  })
}
