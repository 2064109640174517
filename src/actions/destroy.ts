import { authorize } from '../auth/authorize.ts'
import { findToChange } from '../read/find.ts'
import { relatedRows } from '../read/related-rows.ts'
import type { ResourceOperation } from '../request/operation.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import { validateDelete } from '../validation/run/validate.ts'
import { removeInOneStatement } from '../write/single-statement.ts'
import { deleteRow } from '../write/write.ts'
import { isTrashed } from '../write/write-row.ts'
import { type ActionResult, noContent } from './action-result.ts'
import { checkPrecondition } from './check-precondition.ts'
import type { RequestContext } from './context.ts'
import { onBrokenOf } from './on-broken.ts'
import { queryOf } from './query-of.ts'

export async function destroy(ctx: RequestContext, wanted: ResourceOperation): Promise<ActionResult> {
  const row = await findToChange(ctx, wanted.schema, wanted.id)
  const op: ResourceOperation = isTrashed(wanted.schema, row) ? { ...wanted, kind: 'forceDelete' } : wanted
  const request = makeRequest(ctx, op, row)
  await authorize(ctx, op, { request, row, value: null })
  await queryOf(ctx, op)
  await checkPrecondition(ctx, op, row)
  const related = relatedRows(ctx)
  await validateDelete(ctx, op, { request, row, related })
  const subject = { ctx, schema: op.schema, related }
  if (!(await removeInOneStatement(subject, row)))
    await ctx.store.write((transaction) => deleteRow(transaction, subject, row), onBrokenOf(op.schema))
  return noContent
}
