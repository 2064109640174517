import type { SignIn } from '@prismapi/core/http/sign-in'
import { signInOf } from '@prismapi/core/http/sign-in'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { unauthorized } from '@prismapi/jsonapi/document/errors'
import type { Context } from 'koa'
import { hasAuthorization } from './cookies.ts'
import type { Authenticator } from './credentials.ts'

/**
 * Signs in by the first of several means that knows the caller. A request without any credentials is one of a guest.
 * Credentials that none of them takes are refused, with the first 401: a wrong token never makes a guest. Every other
 * error, such as 503 of a provider that is down, is thrown at once. Pages offer all ways to sign in that they have.
 *
 * @throws {JsonApiError} 401 for credentials that none of them takes.
 * @throws {Error} at startup, for two providers of one name.
 * @example
 * declare const byKey: Authenticator<User>
 * declare const bySession: Authenticator<User>
 *
 * const authenticate = firstOf(byKey, bySession)
 */
export function firstOf<Found>(...means: readonly Authenticator<Found>[]): Authenticator<Found> {
  const find = async (ctx: Context): Promise<Found | null> => {
    let refusal: JsonApiError | null = null
    for (const authenticate of means) {
      try {
        const found = await authenticate(ctx)
        if (found !== null) return found
      } catch (error) {
        if (!(error instanceof JsonApiError) || error.status !== 401) throw error
        refusal ??= error
      }
    }
    if (refusal) throw refusal
    // Of none of their kinds: nobody has looked at it.
    if (hasAuthorization(ctx)) throw unauthorized('Bearer')
    return null
  }
  const all = means.flatMap((each) => signInOf(each) ?? [])
  return Object.assign(find, all.length > 0 && { signInMeans: joined(all) })
}

function joined(all: readonly SignIn[]): SignIn {
  const password = all.find((each) => each.password)?.password
  const names = all.flatMap(({ providers = [] }) => providers.map(({ name }) => name))
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined)
    throw new Error(
      `firstOf: two ways to sign in are called "${twice}". Give one of them another name: oidc({ signIn: { name } }).`,
    )
  return {
    ...(password && { password }),
    providers: all.flatMap(({ providers = [] }) => providers),
    async signOut(ctx, options) {
      let place: URL | null = null
      for (const { signOut } of all) place = (await signOut(ctx, options)) ?? place
      return place
    },
  }
}
