import type { IncomingHttpHeaders } from 'node:http'
import { JsonApiError } from '../../document/error.ts'
import type { Call } from '../call.ts'
import type { HttpStage } from '../stage.ts'

// A client that has written is told how far the database was then, and says so when it reads: a replica that is not there yet
// is not read for it. By a header, or by a cookie where the client keeps them. Nothing is signed: a client that lies about it
// reads rows that are older or newer than it needs, and may see neither less nor more.

const positionHeader = 'Prismapi-Position'
const cookie = 'prismapi-position'
const inCookies = new RegExp(`(?:^|; ?)${cookie}=([^;]*)`)

/** No replica is ever there, so that the primary is read. */
const latest = 2n ** 64n - 1n

/** What a request that reads has to see. */
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
  // By then, a replica that is not there is too late for every client.
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
