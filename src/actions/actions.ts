import type { RequestContext } from '../request/context.ts'
import { isReading, type Operation } from '../request/operation.ts'
import type { Answer } from './answer.ts'
import { beginAnew } from './begin-anew.ts'
import { attachRelationship, detachRelationship, updateRelationship } from './change-relationship.ts'
import { create } from './create.ts'
import { destroy } from './destroy.ts'
import { fetchMany } from './fetch-many.ts'
import { fetchOne } from './fetch-one.ts'
import { fetchRelated } from './fetch-related.ts'
import { fetchRelationship } from './fetch-relationship.ts'
import { performAction } from './perform-action.ts'
import { update } from './update.ts'

/** Carries an operation out. */
export const perform = (ctx: RequestContext, op: Operation): Promise<Answer> =>
  isReading(op) ? once(ctx, op) : beginAnew(ctx, written(op), () => once(ctx, op))

const written = (op: Operation): string => ('id' in op ? `${op.schema.type} ${op.id}` : op.schema.type)

/** One recipe for each kind. */
export function once(ctx: RequestContext, op: Operation): Promise<Answer> {
  switch (op.kind) {
    case 'viewAny':
      return fetchMany(ctx, op)
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
