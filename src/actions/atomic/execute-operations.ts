import type { RenderedResource } from '../../document/rendered.ts'
import type { ResultObject } from '../../document/types.ts'
import { inTurns } from '../../model/in-turns.ts'
import { resultsDocument } from '../../serialize/documents.ts'
import { preparingFirst } from '../../write/preparing.ts'
import { type ActionResult, noContent } from '../action-result.ts'
import { dispatch } from '../actions.ts'
import { contextWithin, type RequestContext } from '../context.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { addAll, type Run } from './add-all.ts'
import { lidKey } from './local-ids.ts'
import { contextOf, toOperation } from './operation-context.ts'
import { withOperationPointer } from './operation-pointer.ts'
import { type AtomicOperation, isAddition } from './parse-operations.ts'
import { prepareAhead } from './prepare-ahead.ts'
import { upsert } from './upsert.ts'

/** Carries all operations out, in their order and in one transaction: one that fails undoes those before it. */
export const executeOperations = (ctx: RequestContext, operations: readonly AtomicOperation[]): Promise<ActionResult> =>
  retryOnConflict(ctx, '', async () => {
    await prepareOperations(ctx, operations)
    return preparingFirst(() => dispatchOperations(ctx, operations))
  })

/** Runs what has to be done before the transaction begins. */
export const prepareOperations = (ctx: RequestContext, operations: readonly AtomicOperation[]): Promise<void> =>
  prepareAhead(ctx, operations, (outside, operation) => carryOut(outside, operation, new Map()))

/** One attempt, without retry. */
export async function dispatchOperations(
  ctx: RequestContext,
  operations: readonly AtomicOperation[],
): Promise<ActionResult> {
  const results = await ctx.store.write((transaction) => inOrder(contextWithin(ctx, transaction), operations))
  if (!results.some(({ data }) => data)) return noContent
  // No version, and not null: what several resources became has no entity tag.
  return { status: 200, document: resultsDocument(ctx, results) }
}

async function inOrder(ctx: RequestContext, operations: readonly AtomicOperation[]): Promise<readonly ResultObject[]> {
  const ids = new Map<string, string>()
  const results: ResultObject[] = []
  for await (const run of inTurns(runsOf(operations)))
    results.push(...(isAddition(run[0]) ? await addAll(ctx, run, ids) : [await carryOut(ctx, run[0], ids)]))
  return results
}

/** The operations in their order; neighbours that add resources of one type are one run. */
function runsOf(operations: readonly AtomicOperation[]): readonly Run[] {
  const runs: [AtomicOperation, ...AtomicOperation[]][] = []
  for (const operation of operations) {
    const [before] = runs.at(-1) ?? []
    const isOneMore =
      before && isAddition(before) && isAddition(operation) && before.target.type === operation.target.type
    if (isOneMore) runs.at(-1)?.push(operation)
    else runs.push([operation])
  }
  return runs
}

async function carryOut(
  ctx: RequestContext,
  operation: AtomicOperation,
  ids: Map<string, string>,
): Promise<ResultObject> {
  const answer = await withOperationPointer(operation, async () => {
    const wanted = toOperation(ctx, operation, ids)
    const context = contextOf(ctx, wanted, operation, ids)
    return operation.upsertBy && wanted.kind === 'create'
      ? upsert(context, wanted, operation.upsertBy)
      : dispatch(context, wanted)
  })
  const data = dataOf(operation, answer)
  if (data && operation.lid !== null) ids.set(lidKey(data.type, operation.lid), data.id)
  return data ? { data } : {}
}

/** The resource that an operation led to. What a relationship holds is shown by its own URL, page by page. */
function dataOf({ target }: AtomicOperation, { document }: ActionResult): RenderedResource | null {
  if (target.relationship !== null || !document || !('data' in document)) return null
  return document.data as RenderedResource | null
}
