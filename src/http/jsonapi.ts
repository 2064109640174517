import type { Context, Middleware } from 'koa'
import type { CompiledServer } from '../server/compile.ts'
import type { Api } from './api.ts'
import { Call } from './call.ts'
import { locate } from './locate.ts'
import { stagesAt } from './plugin.ts'
import { isReadable } from './request/request-url.ts'
import { answerErrors } from './response/error-boundary.ts'
import { compose } from './stage.ts'
import { answerOwnPaths } from './stages/answer-own-paths.ts'
import { authenticate } from './stages/authenticate.ts'
import { checkMethod } from './stages/check-method.ts'
import { chooseStore } from './stages/choose-store.ts'
import { executeWith } from './stages/execute.ts'
import { joinBatch } from './stages/join-batch.ts'
import { limitRequest } from './stages/limit-request.ts'
import { limitTime } from './stages/limit-time.ts'
import { makeContext } from './stages/make-context.ts'
import { negotiate } from './stages/negotiate.ts'
import { parseAtomic } from './stages/parse-atomic.ts'
import { priceWrite } from './stages/price-write.ts'
import { readDocument } from './stages/read-document.ts'
import { receiveBody } from './stages/receive-body.ts'
import { refuseOtherSites } from './stages/refuse-other-sites.ts'
import { respondWith } from './stages/respond-with.ts'
import { sendPosition } from './stages/send-position.ts'

/** One server as Koa middleware. What is not below its base path goes on to the next middleware. */
export function jsonapi(api: Api): Middleware {
  const handle = compose(api, [
    receiveBody,
    locate,
    chooseStore,
    limitTime,
    ...stagesAt(api, 'outermost'),
    ...stagesAt(api, 'around'),
    answerErrors,
    sendPosition,
    limitRequest,
    ...stagesAt(api, 'located'),
    answerOwnPaths,
    checkMethod,
    negotiate,
    refuseOtherSites,
    authenticate,
    readDocument,
    makeContext,
    parseAtomic,
    priceWrite,
    ...stagesAt(api, 'prepared'),
    joinBatch,
    respondWith(executeWith(api)),
  ])
  return (koa, next) => (isReadable(koa) && !isBelow(koa, api.server) ? next() : handle(new Call(koa, api)))
}

function isBelow(koa: Context, { basePath, host }: CompiledServer): boolean {
  const { path } = koa
  if (!path.startsWith(basePath)) return false
  if (path.length > basePath.length && path[basePath.length] !== '/') return false
  return host === null || koa.hostname.toLowerCase() === host
}
