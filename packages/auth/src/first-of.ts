import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { unauthorized } from '@prismapi/jsonapi/document/errors'
import type { Context } from 'koa'
import type { Authenticator } from './credentials.ts'

/**
 * Signs in by the first of several means that knows the caller. A request without any credentials is one of a guest.
 * Credentials that none of them takes are refused, with the first 401: a wrong token never makes a guest. Every other
 * error, such as 503 of a provider that is down, is thrown at once.
 *
 * @throws {JsonApiError} 401 for credentials that none of them takes.
 * @example
 * declare const byKey: Authenticator<User>
 * declare const bySession: Authenticator<User>
 *
 * const authenticate = firstOf(byKey, bySession)
 */
export function firstOf<Found>(...means: readonly Authenticator<Found>[]): Authenticator<Found> {
  return async (ctx) => {
    let refusal: JsonApiError | null = null
    for (const find of means) {
      try {
        const found = await find(ctx)
        if (found !== null) return found
      } catch (error) {
        if (!(error instanceof JsonApiError) || error.status !== 401) throw error
        refusal ??= error
      }
    }
    if (refusal) throw refusal
    if (hasHeader(ctx)) throw unauthorized('Bearer')
    return null
  }
}

// Of none of their kinds: nobody has looked at it.
const hasHeader = ({ req }: Context): boolean => req.headers.authorization !== undefined
