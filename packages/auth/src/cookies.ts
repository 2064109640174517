import { isFromHere, mayUseCredentials } from '@prismapi/core/http/authentication'
import { forbidden } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Context } from 'koa'

interface CookieOptions {
  readonly isSecure: boolean
  /** Null takes it away. */
  readonly value: string | null
  readonly seconds: number
}

/** By a name that browsers take from this host alone, over https. */
const nameOf = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

/** A cookie that no script reads, and that goes along with no form of another site. */
export function setCookie(ctx: Context, name: string, { isSecure, value, seconds }: CookieOptions): void {
  const age = value === null ? 0 : seconds
  const secure = isSecure ? '; Secure' : ''
  ctx.append(
    'Set-Cookie',
    `${nameOf(name, isSecure)}=${value ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
  )
}

/** Null where the browser has sent none, or something that was never set. */
export function readCookie(ctx: Context, name: string, isSecure: boolean): string | null {
  const value = ctx.cookies.get(nameOf(name, isSecure))
  return value !== undefined && /^[\w.~-]{16,3000}$/.test(value) ? value : null
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS', 'QUERY']

/**
 * Refuses what a page of another site has a browser ask for in the name of its user, by a cookie that the browser adds.
 * Sites that CORS allows to act for users may.
 *
 * @throws {JsonApiError} 403
 */
export function refuseOtherSites(ctx: Context): void {
  if (safeMethods.includes(ctx.method) || isFromHere(ctx) || mayUseCredentials(ctx)) return
  throw forbidden(say`Only pages of this server ask for that.`)
}

/** An `Authorization` is what the client means: then its cookie says nothing. */
export const hasAuthorization = ({ req }: Context): boolean => req.headers.authorization !== undefined
