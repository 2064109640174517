import { hash } from 'node:crypto'
import { unauthorized } from '@prismapi/jsonapi/document/errors'
import { boundedCache } from '@prismapi/jsonapi/model/memo'
import type { Context } from 'koa'

/**
 * The token of `Authorization: Bearer <token>`; null where the request has no such header, and comes from a guest.
 *
 * @throws {JsonApiError} 401 for another scheme, for what is no token, for a JWT with padding or with a second spelling
 * of its signature, and for a header that was sent twice: of two, a proxy may have looked at the other one.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 * @see https://www.rfc-editor.org/rfc/rfc7515#section-2
 * @example
 * declare const userOf: (token: string) => Promise<User | null>
 *
 * const authenticate: Authenticate = async (ctx) => {
 *   const token = bearerToken(ctx)
 *   if (token === null) return null
 *   const user = await userOf(token)
 *   if (!user) throw unauthorized('Bearer')
 *   return user
 * }
 */
export function bearerToken({ req }: Context): string | null {
  const { authorization } = req.headers
  if (authorization === undefined) return null
  // Of the browsable pages it is their cookie, and none was sent.
  const sent = req.headersDistinct.authorization ?? []
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
  if (token === undefined || sent.length > 1 || isRespelt(token)) throw unauthorized('Bearer')
  return token
}

/** Libraries read a signature in several spellings. One token has one, so that a list of revoked tokens finds it. */
function isRespelt(token: string): boolean {
  const [header = '', , signature, ...more] = token.split('.')
  // The header of a JWT is a JSON object, whose first letter is one of these two. Other tokens may have any form.
  if (signature === undefined || more.length > 0 || !/^e[wy]/.test(header)) return false
  return Buffer.from(signature, 'base64url').toString('base64url') !== signature
}

/** What a token says that was verified. */
export interface VerifiedToken<Said> {
  /** What `authenticate` wants to know of it: the id of a user, or its claims. */
  readonly said: Said
  /** When it runs out, in seconds since 1970, as the claim `exp` has it. */
  readonly exp: number
}

/**
 * The same function for tokens, which verifies each of them once: it keeps what a token says until the token runs out.
 * To verify a signature takes more time than to read a resource. It keeps digests, no tokens, at least of the `most`
 * tokens that clients sent last and at most of twice as many. What is not valid is verified each time.
 *
 * A token that was verified stays good until it runs out, even if its key does not. So `authenticate` reads the user
 * for each request, and finds out there who has been removed.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4
 * @example
 * declare const verify: (token: string) => Promise<VerifiedToken<number> | null>
 * declare const findUser: (id: number) => Promise<User | null>
 *
 * const userId = keepTokens(verify)
 * const authenticate: Authenticate = async (ctx) => {
 *   const token = bearerToken(ctx)
 *   if (token === null) return null
 *   const id = await userId(token)
 *   const user = id === null ? null : await findUser(id)
 *   if (!user) throw unauthorized('Bearer')
 *   return user
 * }
 */
export function keepTokens<Said>(
  verify: (token: string) => Promise<VerifiedToken<Said> | null>,
  { most = 10_000 }: { readonly most?: number } = {},
): (token: string) => Promise<Said | null> {
  const kept = boundedCache<{ token: VerifiedToken<Said> | null }>(most, Number.POSITIVE_INFINITY)
  return async (token) => {
    const entry = kept.get(digestOf(token), () => ({ token: null }))
    if (!isValid(entry.token)) entry.token = await verify(token)
    return entry.token === null ? null : entry.token.said
  }
}

// What has no time has run out.
const isValid = (token: VerifiedToken<unknown> | null): boolean => token !== null && token.exp * 1000 > Date.now()

const digestOf = (token: string): string => hash('sha256', token, 'base64')
