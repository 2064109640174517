import type { Call } from '@prismapi/core/http/call'
import type { Handler, Plugin } from '@prismapi/core/http/plugin'
import { parsePreferences } from '@prismapi/core/http/request/headers'
import { noTracing, type Observer } from '@prismapi/jsonapi/request/observer'

// What a request costs, for clients that prefer to know it (https://www.rfc-editor.org/rfc/rfc7240).

const preference = 'cost'

/** Responses have `Prismapi-Cost` if the client prefers it. Not for production: sizes of tables reveal hidden rows. */
export const costHeader: Plugin = {
  around: (next) => (call) => (parsePreferences(call.koa).includes(preference) ? told(call, next) : next(call)),
}

async function told(call: Call, next: Handler): Promise<void> {
  const { koa } = call
  let points = 0
  const observer: Observer = {
    ...noTracing,
    priced: (price) => {
      points += price.points
    },
  }
  call.observe(observer)
  await next(call)
  if (koa.headerSent) return
  koa.append('Preference-Applied', preference)
  koa.set('Prismapi-Cost', String(points))
}
