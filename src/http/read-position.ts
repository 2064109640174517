import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import { JsonApiError } from '../document/error.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { ReplicaStores } from '../store/replicas/replica-stores.ts'

// Whoever has written is told how far the database was then, and says so when it reads: a replica that is not there yet is
// not read for it. By a header, or by a cookie where the client keeps them. Nothing is signed: who lies about it reads what
// is older, or what is newer, than what it needs, and may see neither less nor more.

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

type Route = (ctx: Context) => void | Promise<void>

/** Tells the clients of requests that may have written what they need to see from now on. */
export function tellPosition(route: Route, replicas: ReplicaStores, { baseUrl }: CompiledServer): Route {
  // By then, a replica that is not there is too late for everybody.
  const seconds = Math.ceil((replicas.lagMilliseconds * 2) / 1000)
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`
  const tell = (ctx: Context, position: string) => {
    if (ctx.res.headersSent) return
    ctx.set(positionHeader, position)
    ctx.append('Set-Cookie', `${cookie}=${position}; ${attributes}`)
  }
  return async (ctx) => {
    if (!writing.has(ctx.method)) return route(ctx)
    try {
      await route(ctx)
    } catch (error) {
      // Nobody knows what was written before it failed.
      if (!(error instanceof JsonApiError) || error.status >= 500) tell(ctx, 'latest')
      throw error
    }
    const position = await replicas.position().catch(() => latest)
    tell(ctx, position === latest ? 'latest' : position.toString(16))
  }
}

const writing: ReadonlySet<string> = new Set(['POST', 'PATCH', 'DELETE'])
