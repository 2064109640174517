import { parseOperations } from '../../actions/atomic/parse-operations.ts'
import { checkQuery } from '../../query/check-query.ts'
import { atomicShape } from '../atomic-shape.ts'
import { contextOf } from '../call.ts'
import type { HttpStage } from '../stage.ts'

/** Parses the operations of an atomic request: 400, 403. */
export const parseAtomic: HttpStage = (next) => (call) => {
  if (!call.isAtomic) return next(call)
  const ctx = contextOf(call)
  // Results show resources and nothing beside them: a query can ask for sparse fieldsets alone.
  checkQuery(ctx, { schemas: [], isCollection: false, relation: null, isRelationship: false })
  call.operations = parseOperations(ctx.body, atomicShape(ctx.server, ctx.negotiatedExtensions))
  return next(call)
}
