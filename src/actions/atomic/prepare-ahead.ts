import type { Store } from '../../database/store.ts'
import { JsonApiError } from '../../document/error.ts'
import { withParts } from '../../request/with-parts.ts'
import { hasPrepareHooks } from '../../write/hooks.ts'
import type { RequestContext } from '../context.ts'
import { schemaOfTarget } from './operation-context.ts'
import type { AtomicOperation } from './parse-operations.ts'

/** A write would begin. */
class WriteBegins extends Error {}

type CarryOut = (ctx: RequestContext, operation: AtomicOperation) => Promise<unknown>

/**
 * Runs the `preparing` hooks of all operations before their transaction begins, for each as far as it can be judged by then. One
 * that depends on those before it is prepared when it is reached: the transaction begins again for it.
 */
export async function prepareAhead(
  ctx: RequestContext,
  operations: readonly AtomicOperation[],
  carryOut: CarryOut,
): Promise<void> {
  const outside = withParts(ctx, { store: onlyReading(ctx.store), observer: null })
  for (const operation of operations) {
    if (!isToPrepare(ctx, operation)) continue
    try {
      await carryOut(outside, operation)
    } catch (error) {
      // The transaction comes upon it, too, unless an operation before this one changes it.
      if (!(error instanceof WriteBegins || error instanceof JsonApiError)) throw error
    }
  }
}

const isToPrepare = (ctx: RequestContext, operation: AtomicOperation): boolean =>
  // At a second attempt the transaction tells whether that still holds.
  ctx.preparation.of(operation).prepared === null &&
  operation.op !== 'remove' &&
  operation.target.relationship === null &&
  hasPrepareHooks(ctx, schemaOfTarget(ctx, operation.target).model.name)

const onlyReading = (store: Store): Store => ({
  ...store,
  write: () => Promise.reject(new WriteBegins('Operations are written in one transaction.')),
  single: null,
})
