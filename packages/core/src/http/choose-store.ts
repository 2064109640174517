import type { IncomingHttpHeaders } from 'node:http'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Context } from 'koa'
import type { ReplicaStores, Store } from '../database/store.ts'
import { reportingLateFailures, whileAwaited } from '../database/wrap.ts'
import { loggedError } from '../server/logger.ts'
import type { Api } from './api.ts'
import type { Call } from './call.ts'
import { requestIdOf } from './middleware/request-log.ts'
import type { HttpStage } from './plugin.ts'

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

// A client that has written is told how far the database was then, and says so when it reads: a replica that is not
// there yet is not read for it. By a header, or by a cookie where the client keeps them. Nothing is signed: a client
// that lies about it reads rows that are older or newer than it needs, and may see neither less nor more.

const positionHeader = 'Prismapi-Position'
const cookie = 'prismapi-position'
const inCookies = new RegExp(`(?:^|; ?)${cookie}=([^;]*)`)

/** No replica is ever there, so that the primary is read. */
const latest = 2n ** 64n - 1n

/** The position of the database's log up to which a reading request has to see everything. */
export function neededPosition(headers: IncomingHttpHeaders): bigint {
  const { [cookie]: ofHeader, cookie: cookies } = headers
  const ofCookie = cookies === undefined ? undefined : inCookies.exec(cookies)?.[1]
  if (ofHeader === undefined && ofCookie === undefined) return 0n
  const positions = [ofHeader, ofCookie].map((text) => (text === undefined ? 0n : parsePosition(String(text))))
  return positions.reduce((most, each) => (each > most ? each : most))
}

// `latest`, as everything else that is no position.
const parsePosition = (text: string): bigint => (/^[\da-f]{1,16}$/i.test(text) ? BigInt(`0x${text}`) : latest)

/** Tells the clients of requests that may have written what they need to see from now on. */
export const sendPosition: HttpStage = (next, { replicas, server }) => {
  if (replicas === null) return next
  // After this time the server no longer chooses a replica that is so far behind, so the cookie may expire.
  const seconds = Math.ceil((replicas.lagMilliseconds * 2) / 1000)
  const secure = server.baseUrl.startsWith('https:') ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  const send = ({ koa }: Call, position: string) => {
    if (koa.res.headersSent) return
    koa.set(positionHeader, position)
    koa.append('Set-Cookie', `${cookie}=${position}; ${attributes}`)
  }
  return async (call) => {
    if (!call.mayWrite) return next(call)
    try {
      await next(call)
    } catch (error) {
      // What was written before it failed is not known.
      if (!(error instanceof JsonApiError) || error.status >= 500) send(call, 'latest')
      throw error
    }
    const position = await replicas.position().catch(() => latest)
    send(call, position === latest ? 'latest' : position.toString(16))
  }
}
