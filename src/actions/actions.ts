import { unavailable } from '../document/errors.ts'
import type { RequestContext } from '../request/context.ts'
import type { Operation } from '../request/operation.ts'
import { RowChanged } from '../store/write.ts'
import type { Answer } from './answer.ts'
import { attachRelationship, detachRelationship, updateRelationship } from './change-relationship.ts'
import { create } from './create.ts'
import { destroy } from './destroy.ts'
import { fetchMany } from './fetch-many.ts'
import { fetchOne } from './fetch-one.ts'
import { fetchRelated } from './fetch-related.ts'
import { fetchRelationship } from './fetch-relationship.ts'
import { performAction } from './perform-action.ts'
import { update } from './update.ts'

const attempts = 5

/**
 * Carries an operation out. Where the row was changed by another request between judging and writing it, the operation
 * begins anew, as if it had come later.
 */
export async function perform(ctx: RequestContext, op: Operation): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    try {
      return await once(ctx, op)
    } catch (error) {
      if (!(error instanceof RowChanged)) throw error
      if (tried === attempts) throw unavailable(1)
    }
  }
}

/** One recipe for each kind. */
function once(ctx: RequestContext, op: Operation): Promise<Answer> {
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
