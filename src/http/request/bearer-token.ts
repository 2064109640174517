import type { Context } from 'koa'
import { unauthorized } from '../../document/errors.ts'

/**
 * The token of `Authorization: Bearer <token>`; null where the request has no such header, and comes from a guest.
 *
 * @throws {JsonApiError} 401 for another scheme, for what is no token, for a JWT with padding or with a second spelling of its signature,
 * and for a header that was sent twice: of two, a proxy may have looked at the other one.
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
