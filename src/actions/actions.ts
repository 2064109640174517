import { isReading, type Operation } from '../request/operation.ts'
import type { ActionResult } from './action-result.ts'
import { attachRelationship, detachRelationship, updateRelationship } from './change-relationship.ts'
import type { RequestContext } from './context.ts'
import { create } from './create.ts'
import { destroy } from './destroy.ts'
import { fetchMany } from './fetch-many.ts'
import { fetchOne } from './fetch-one.ts'
import { fetchRelated } from './fetch-related.ts'
import { fetchRelationship } from './fetch-relationship.ts'
import { fetchStats } from './fetch-stats.ts'
import { judgedInside } from './judge-inside.ts'
import { performAction } from './perform-action.ts'
import { refuseText } from './refuse-text.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { update } from './update.ts'

/** Carries an operation out; a write that another one overtook is tried again. */
export const executeOperation = (ctx: RequestContext, op: Operation): Promise<ActionResult> =>
  isReading(op)
    ? dispatch(ctx, op)
    : retryOnConflict(ctx, written(op), () => judgedInside(ctx, (judged) => dispatch(judged, op)))

const written = (op: Operation): string => ('id' in op ? `${op.schema.type} ${op.id}` : op.schema.type)

/** One attempt, without retry. */
export function dispatch(ctx: RequestContext, op: Operation): Promise<ActionResult> {
  return refuseText(ctx, () => carryOut(ctx, op))
}

/** One recipe for each kind of operation. */
function carryOut(ctx: RequestContext, op: Operation): Promise<ActionResult> {
  switch (op.kind) {
    case 'viewAny':
      return fetchMany(ctx, op)
    case 'viewStats':
      return fetchStats(ctx, op)
    case 'create':
      return create(ctx, op)
    case 'view':
      return fetchOne(ctx, op)
    case 'update':
      return update(ctx, op)
    case 'delete':
    case 'forceDelete':
      return destroy(ctx, op)
    case 'viewRelated':
      return fetchRelated(ctx, op)
    case 'viewRelationship':
      return fetchRelationship(ctx, op)
    case 'updateRelationship':
      return updateRelationship(ctx, op)
    case 'attach':
      return attachRelationship(ctx, op)
    case 'detach':
      return detachRelationship(ctx, op)
    case 'action':
      return performAction(ctx, op)
    default:
      return op satisfies never
  }
}
