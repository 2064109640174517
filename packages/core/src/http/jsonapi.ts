import type { Context, Middleware } from 'koa'
import type { Located } from '../server/base-path.ts'
import { serverAt } from '../server/compile.ts'
import type { Api } from './api.ts'
import { authenticate, refuseOtherSites } from './authentication.ts'
import { Call, isReadable } from './call.ts'
import { chooseStore, sendPosition } from './choose-store.ts'
import { executeWith, joinBatch, makeContext, parseAtomic, priceWrite, respondWith } from './execution.ts'
import { negotiate } from './negotiation.ts'
import { compose, stagesAt } from './plugin.ts'
import { readDocument, receiveBody } from './request/body.ts'
import { answerErrors, limitTime } from './response/error-boundary.ts'
import { answerOwnPaths, checkMethod, limitRequest, locate } from './routing.ts'

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
  const { base, host } = api.server
  const at = (located: Located) => (base.names.length === 0 ? api : { ...api, server: serverAt(api.server, located) })
  return (koa, next) => {
    // If the target is not a URL, the first server answers 400.
    if (!isReadable(koa)) return handle(new Call(koa, api))
    const located = base.locate(koa.path)
    if (located === null || (host !== null && koa.hostname.toLowerCase() !== host)) return next()
    const own = at(located)
    spell(koa, located)
    return handle(new Call(koa, own))
  }
}

/** What comes after it looks for the base path as links have it: `%61cme` is `acme`. */
function spell(koa: Context, { path, length }: Located): void {
  if (!koa.path.startsWith(path)) koa.path = path + koa.path.slice(length)
}
