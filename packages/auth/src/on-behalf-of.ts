import { actorOf, ceilingOf, limited, onBehalf } from '@prismapi/core/auth/caller'
import { signInOf } from '@prismapi/core/http/sign-in'
import { forbidden, unauthorized } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Context } from 'koa'
import type { Authenticator } from './credentials.ts'

/** In whose name callers act. */
export interface OnBehalfOfOptions<Found> {
  /**
   * The user whom a caller wants to act for, if that caller may; null if not. It gets who is signed in, and the text of
   * the header.
   */
  readonly user: (signedIn: Found, wanted: string, ctx: Context) => Awaitable<Found | null>
  /** The header that names the user; by default `On-Behalf-Of`. */
  readonly header?: string
}

/**
 * Lets somebody who is signed in act as somebody else: support for a customer, an agent for its user. A request with
 * the header `On-Behalf-Of: 7` is one of user 7, and `signedInAs(user)` is who sent it. The trail has both: `3 for 7`.
 * The scopes of the token hold for the request. Without the header nothing changes.
 *
 * @throws {JsonApiError} 401 for the header without a sign-in, 403 for a user whom the caller may not act for, whether
 * there is one or not.
 * @example
 * declare const signedIn: Authenticator<User>
 * declare const findUser: (id: number) => Promise<User | null>
 *
 * const authenticate = onBehalfOf(signedIn, {
 *   user: (support, wanted) => (support.role === 'ADMIN' ? findUser(Number(wanted)) : null),
 * })
 */
export function onBehalfOf<Found extends object>(
  authenticate: Authenticator<Found>,
  { user, header = 'On-Behalf-Of' }: OnBehalfOfOptions<Found>,
): Authenticator<Found> {
  const find = async (ctx: Context): Promise<Found | null> => {
    const wanted = ctx.get(header)
    const signedIn = await authenticate(ctx)
    if (wanted === '') return signedIn
    if (signedIn === null) throw unauthorized('Bearer')
    const found = await user(signedIn, wanted, ctx)
    if (found === null) throw forbidden(say`You may not act for this user.`)
    const ceiling = ceilingOf(signedIn)
    return onBehalf(ceiling ? limited(found, ceiling) : found, signedIn)
  }
  const signInMeans = signInOf(authenticate)
  return Object.assign(find, signInMeans && { signInMeans })
}

/**
 * Who sent a request: the user whom `authenticate` found, or who acts in that user's name by `onBehalfOf`.
 *
 * @example
 * declare const user: User
 *
 * const isSupport = signedInAs(user) !== user
 */
export const signedInAs = <Found>(user: Found): Found => (actorOf(user) as Found | null) ?? user
