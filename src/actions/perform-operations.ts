import { type AtomicOperation, isAddition } from '../document/atomic-operations.ts'
import { lidKey } from '../document/local-ids.ts'
import type { RenderedResource } from '../document/rendered.ts'
import type { ResultObject } from '../document/types.ts'
import type { RequestContext } from '../request/context.ts'
import { resultsDocument } from '../serialize/documents.ts'
import { once } from './actions.ts'
import { addAll } from './add-all.ts'
import { type Answer, noContent } from './answer.ts'
import { contextOf, contextWithin, toOperation } from './atomic-context.ts'
import { beginAnew } from './begin-anew.ts'
import { placed } from './placed.ts'
import { upsert } from './upsert.ts'

/** Carries all operations out, in their order and in one transaction: one that fails undoes those before it. */
export const performOperations = (ctx: RequestContext, operations: readonly AtomicOperation[]): Promise<Answer> =>
  beginAnew(ctx, '', () => operationsOnce(ctx, operations))

/** A try at it. */
export async function operationsOnce(ctx: RequestContext, operations: readonly AtomicOperation[]): Promise<Answer> {
  const results = await ctx.store.write((transaction) => inOrder(contextWithin(ctx, transaction), operations))
  if (!results.some(({ data }) => data)) return noContent
  // No version, and not null: what several resources became has no entity tag.
  return { status: 200, document: resultsDocument(ctx, results) }
}

async function inOrder(ctx: RequestContext, operations: readonly AtomicOperation[]): Promise<readonly ResultObject[]> {
  const ids = new Map<string, string>()
  const results: ResultObject[] = []
  for (const run of runsOf(operations))
    results.push(...(isAddition(run[0]) ? await addAll(ctx, run, ids) : [await carryOut(ctx, run[0], ids)]))
  return results
}

type Run = readonly [AtomicOperation, ...AtomicOperation[]]

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
  const answer = await placed(operation, async () => {
    const wanted = toOperation(ctx, operation, ids)
    const context = contextOf(ctx, wanted, operation, ids)
    return operation.upsertBy && wanted.kind === 'create'
      ? upsert(context, wanted, operation.upsertBy)
      : once(context, wanted)
  })
  const data = dataOf(operation, answer)
  if (data && operation.lid !== null) ids.set(lidKey(data.type, operation.lid), data.id)
  return data ? { data } : {}
}

/** The resource that an operation led to. What a relationship holds is shown by its own URL, page by page. */
function dataOf({ target }: AtomicOperation, { document }: Answer): RenderedResource | null {
  if (target.relationship !== null || !document || !('data' in document)) return null
  return document.data as RenderedResource | null
}
