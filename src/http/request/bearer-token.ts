import type { Context } from 'koa'
import { unauthorized } from '../../document/errors.ts'

/**
 * The token of `Authorization: Bearer <token>`; null where the request has no such header, and comes from a guest.
 *
 * @throws {JsonApiError} 401 for another scheme, for what is no token, and for a header that was sent twice: of two, a proxy may have
 * looked at the other one.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
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
  if (req.headers.authorization === undefined) return null
  const [header = '', ...others] = req.headersDistinct.authorization ?? []
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(header) ?? []
  if (token === undefined || others.length > 0) throw unauthorized('Bearer')
  return token
}
