import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { documentTooLarge } from '@prismapi/jsonapi/document/errors'
import { sizeParameter, withParts } from '@prismapi/jsonapi/request/hook-context'
import { isReading, type Operation } from '@prismapi/jsonapi/request/operation'
import { retryOnConflict } from '../database/attempts.ts'
import { TooMuchText } from '../database/sql-database.ts'
import { hasPrepareHooks } from '../write/hooks.ts'
import { attachRelationship, detachRelationship, updateRelationship } from './change-relationship.ts'
import type { ActionResult, RequestContext } from './context.ts'
import { create, judgeCreate } from './create.ts'
import { destroy } from './destroy.ts'
import { fetchMany } from './fetch-many.ts'
import { fetchOne } from './fetch-one.ts'
import { fetchRelated, fetchRelationship } from './fetch-related.ts'
import { fetchStats } from './fetch-stats.ts'
import { contextForJudging } from './judged.ts'
import { performAction } from './perform-action.ts'
import { judgeUpdate, update } from './update.ts'

/** Carries an operation out; a write that another one overtook is tried again. */
export const executeOperation = (ctx: RequestContext, op: Operation): Promise<ActionResult> =>
  isReading(op) ? dispatch(ctx, op) : retryOnConflict(ctx, written(op), () => dispatch(contextForJudging(ctx), op))

const written = (op: Operation): string => ('id' in op ? `${op.schema.type} ${op.id}` : op.schema.type)

/** One attempt, without retry. */
export function dispatch(ctx: RequestContext, op: Operation): Promise<ActionResult> {
  return asTooLarge(ctx, () => runRecipe(ctx, op))
}

/** One recipe for each kind of operation. */
function runRecipe(ctx: RequestContext, op: Operation): Promise<ActionResult> {
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

/**
 * Runs the `preparing` hooks of a write that will be part of a larger transaction, before that transaction begins. If
 * the write is denied, it prepares nothing: the transaction says why, unless an earlier operation changes the verdict.
 */
export async function prepareAhead(ctx: RequestContext, op: Operation): Promise<void> {
  if (op.kind !== 'create' && op.kind !== 'update') return
  // At a second attempt the transaction tells whether what was prepared still holds.
  if (ctx.preparation.prepared !== null || !hasPrepareHooks(ctx, op.schema.model.name)) return
  const outside = withParts(ctx, { store: { ...ctx.store, single: null }, observer: null })
  try {
    await asTooLarge<unknown>(outside, () => ('id' in op ? judgeUpdate(outside, op) : judgeCreate(outside, op)))
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
  }
}

/** Does work that reads. @throws {JsonApiError} 400 where its rows have more text than a document may have */
export async function asTooLarge<T>(ctx: Pick<RequestContext, 'at' | 'limits'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TooMuchText)) throw error
    throw documentTooLarge(sizeParameter(ctx.at), ctx.limits.documentBytes)
  }
}
