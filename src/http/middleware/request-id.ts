import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'

/** What other systems write for ids, and nothing that means something in a log or a header. */
const pattern = /^[\w.:~+/=@-]{1,128}$/

/**
 * Koa middleware that gives each request an id: that of its `X-Request-Id`, where this is 1 to 128 letters, digits and
 * `. _ : ~ + / = @ -`, or a new UUID. Every line that the framework logs about the request has it as `requestId`. Others
 * find it in `ctx.state.requestId`. The answer repeats the client's as `X-Request-Id`, and is silent about a new one, so that
 * the same request has the same answer.
 *
 * Mount it before all others.
 *
 * @example
 * import Koa from 'koa'
 *
 * const app = new Koa().use(requestId())
 */
export const requestId = (): Middleware => (ctx, next) => {
  const sent = ctx.req.headers['x-request-id']
  const isTaken = typeof sent === 'string' && pattern.test(sent)
  if (isTaken) ctx.res.setHeader('X-Request-Id', sent)
  ctx.state.requestId = isTaken ? sent : randomUUID()
  ctx.state.isRequestIdSent = isTaken
  return next()
}

/** The id of a request, as the trail keeps it: one that its client has chosen is told apart from ours. Null where it has none. */
export function signedRequestId({ state }: Context): string | null {
  if (state.requestId === undefined) return null
  return state.isRequestIdSent ? `client:${state.requestId}` : state.requestId
}

/** The id of a request, as a field of what is logged about it; nothing where it has none. */
export const requestIdOf = ({ state }: Context): { readonly requestId?: string } =>
  state.requestId === undefined ? none : { requestId: state.requestId }

const none = Object.freeze({})
