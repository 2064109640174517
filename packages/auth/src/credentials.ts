import { unauthorized } from '@prismapi/jsonapi/document/errors'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Context } from 'koa'
import { bearerToken } from 'prismapi'

/** Who is asking, by one kind of credentials; null where the request has none of that kind. */
export type Authenticator<Found> = (ctx: Context) => Awaitable<Found | null>

/** The bearer token of a request, if it is of the kind that is looked for; null for others, and without a header. */
export function tokenLike(ctx: Context, isOfKind: (token: string) => boolean): string | null {
  if (!/^bearer /i.test(ctx.req.headers.authorization ?? '')) return null
  const token = bearerToken(ctx)
  return token !== null && isOfKind(token) ? token : null
}

/** 401 of credentials that are wrong, as RFC 6750 tells it. */
export const refused = () => unauthorized('Bearer error="invalid_token"')
