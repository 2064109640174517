import { createHash, timingSafeEqual } from 'node:crypto'
import { isFromHere } from '@prismapi/core/http/authentication'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { forbidden, unauthorized } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Context } from 'koa'
import { signing as words } from '../texts/reading.ts'

// A cookie that no script can read keeps the session of a reader who signs in on a page. It counts only for pages, and
// for writes that prove to come from one: see the decision on the browsable API.

const cookieName = 'prismapi-browse'
// Browsers drop a longer one, of which some count the attributes.
const cookieBytes = 4096

/** The `Authorization` that was signed in with; null where the browser has not signed in. */
function sessionOf(ctx: Context): string | null {
  const kept = ctx.cookies.get(cookieName)
  if (kept === undefined) return null
  const authorization = Buffer.from(kept, 'base64url').toString()
  return isHeader(authorization) ? authorization : null
}

/** Uses the browser's sign-in, unless the request has its own `Authorization`. Null if it is not by the session. */
export function takeSession(ctx: Context): string | null {
  const { headers } = ctx.req
  const session = headers.authorization === undefined ? sessionOf(ctx) : null
  if (session !== null) headers.authorization = session
  return session
}

const isHeader = (text: string): boolean => /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/.test(text)

/**
 * What was typed, as the header: a bare token is a bearer token.
 *
 * @throws {JsonApiError} 401 for what no header can hold, and what no browser would keep
 */
export function toAuthorization(ctx: Context, server: CompiledServer, typed: string): string {
  const text = typed.trim()
  const authorization = text.includes(' ') ? text : `Bearer ${text}`
  if (text === '' || !isHeader(authorization)) throw unauthorized('Bearer', words.noToken)
  if (sessionCookie(ctx, server, authorization).length > cookieBytes) throw unauthorized('Bearer', words.tooLong)
  return authorization
}

export const startSession = (ctx: Context, server: CompiledServer, authorization: string): void =>
  ctx.append('Set-Cookie', sessionCookie(ctx, server, authorization))

export const endSession = (ctx: Context, server: CompiledServer): void =>
  ctx.append('Set-Cookie', cookieWith(ctx, server, '; Max-Age=0'))

const sessionCookie = (ctx: Context, server: CompiledServer, authorization: string): string =>
  cookieWith(ctx, server, Buffer.from(authorization).toString('base64url'))

function cookieWith(ctx: Context, { basePath, baseUrl }: CompiledServer, value: string): string {
  const secure = ctx.secure || baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${value}; Path=${basePath}; HttpOnly; SameSite=Strict${secure}`
}

/**
 * Proves that a page was made for this session; another site does not know it. Pages carry it, and scripts return it.
 */
export const sealOf = (authorization: string): string =>
  createHash('sha256').update(`prismapi browse\n${authorization}`).digest('base64url')

/** What the pages' script sends with the seal is of whom the page was made for. */
export function acceptSeal(ctx: Context, seal: unknown = ctx.req.headers['browse-seal']): string | null {
  const { headers } = ctx.req
  if (typeof seal !== 'string' || headers.authorization !== undefined) return null
  const session = sessionOf(ctx)
  if (session === null || !isSame(seal, sealOf(session)) || !isFromHere(ctx)) return null
  headers.authorization = session
  return session
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Does it say where it comes from, as every browser of today does with a form. */
export const tellsWhereFrom = ({ req: { headers } }: Context): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined

/**
 * Refuses forms from browsers that do not say which site sent them: an old browser adds the application's cookies, and
 * a password that it keeps, to forms of other sites.
 *
 * @throws {JsonApiError} 403
 */
export function refuseUntold(ctx: Context): void {
  const { cookie, authorization } = ctx.req.headers
  if ((cookie ?? authorization) !== undefined && !tellsWhereFrom(ctx))
    throw forbidden(say`Only pages of this server ask for that.`)
}

/**
 * What only pages of the same origin may ask for.
 * @throws {JsonApiError} 403
 */
export function refuseOthers(ctx: Context): void {
  if (!isFromHere(ctx)) throw forbidden(say`Only pages of this server ask for that.`)
}

export const densityCookie = 'prismapi-density'

/** Do the rows of this browser's tables stand close. */
export const isCompact = (ctx: Context): boolean => ctx.cookies.get(densityCookie) === 'compact'
