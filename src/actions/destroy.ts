import { authorize } from '../auth/authorize.ts'
import type { ResourceOperation } from '../request/operation.ts'
import { relatedRows } from '../store/filling/related-rows.ts'
import { findOrFail } from '../store/find.ts'
import { deleteRow } from '../store/writing/write.ts'
import { isTrashed } from '../store/writing/write-row.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import { validateDelete } from '../validation/run/validate.ts'
import { type ActionResult, noContent } from './action-result.ts'
import { checkPrecondition } from './check-precondition.ts'
import type { RequestContext } from './context.ts'
import { queryOf } from './query-of.ts'

export async function destroy(ctx: RequestContext, wanted: ResourceOperation): Promise<ActionResult> {
  const row = await findOrFail(ctx, wanted.schema, wanted.id)
  const op: ResourceOperation = isTrashed(wanted.schema, row) ? { ...wanted, kind: 'forceDelete' } : wanted
  const request = makeRequest(ctx, op, row)
  await authorize(ctx, op, { request, row, value: null })
  queryOf(ctx, op)
  checkPrecondition(ctx, op.schema, row)
  const related = relatedRows(ctx)
  await validateDelete(ctx, op, { request, row, related })
  await ctx.store.write((transaction) => deleteRow(transaction, { ctx, schema: op.schema, related }, row))
  return noContent
}
