import { methodNotAllowed } from '../../document/errors.ts'
import { respond } from '../response/respond.ts'
import type { HttpStage } from '../stage.ts'

const atomicMethods: readonly string[] = ['POST']

/** Answers OPTIONS, and refuses methods that a path does not have: 405. */
export const checkMethod: HttpStage = (next) => (call) => {
  const { koa, route, operation } = call
  const { method } = koa
  const isServed = call.isAtomic ? method === 'POST' : operation !== null
  if (isServed) return next(call)
  const methods = route ? Object.keys(route.kinds) : atomicMethods
  if (method !== 'OPTIONS') throw methodNotAllowed(method, koa.path, methods)
  respond(koa, 204, null, { Allow: methods.join(', ') })
}
