import { forbidden, methodNotAllowed } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import { writesRelationship } from '../../request/routes.ts'
import { respond } from '../response/respond.ts'
import type { HttpStage } from '../stage.ts'

const atomicMethods: readonly string[] = ['POST']

/**
 * Answers OPTIONS, and refuses methods that a path does not have: 405, or 403 where they would change a relationship.
 *
 * @see https://jsonapi.org/format/1.1/#crud-updating-relationship-responses-403
 */
export const checkMethod: HttpStage = (next) => (call) => {
  const { koa, route, operation } = call
  const { method } = koa
  const isServed = call.isAtomic ? method === 'POST' : operation !== null
  if (isServed) return next(call)
  const methods = route ? Object.keys(route.kinds) : atomicMethods
  const relation = route && writesRelationship(route, method)
  if (relation) throw forbidden(say`The relationship ${relation.name} cannot be changed here.`)
  if (method !== 'OPTIONS') throw methodNotAllowed(method, koa.path, methods)
  respond(koa, 204, null, { Allow: methods.join(', ') })
}
