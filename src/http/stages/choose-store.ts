import type { Context } from 'koa'
import { reportingLateFailures } from '../../database/around/late-failures.ts'
import { whileAwaited } from '../../database/around/while-awaited.ts'
import type { ReplicaStores } from '../../database/replicas.ts'
import type { Store } from '../../database/store.ts'
import type { Api } from '../api.ts'
import { requestIdOf } from '../middleware/request-id.ts'
import { loggedError } from '../response/logged-error.ts'
import type { HttpStage } from '../stage.ts'
import { neededPosition } from './send-position.ts'

/** Reads may go to a replica; writes are undone once no client waits for them. */
export const chooseStore: HttpStage = (next, api) => (call) => {
  const { koa, operation } = call
  if (call.mayWrite) call.store = writingStore(koa, api)
  else if (operation && api.replicas) call.store = readingStore(koa, api.replicas)
  return next(call)
}

const readingStore = ({ req }: Context, replicas: ReplicaStores): Store => replicas.reading(neededPosition(req.headers))

/** What is written is undone when its client has gone, or was told that it took too long. */
function writingStore(koa: Context, { store, server: { logger } }: Api): Store {
  const { res } = koa
  const request = requestIdOf(koa)
  const told =
    request.requestId === undefined
      ? store
      : reportingLateFailures(store, (err) =>
          logger.error({ ...request, err: loggedError(err) }, 'Work after a commit failed'),
        )
  return whileAwaited(told, () => !res.headersSent && !res.destroyed)
}
