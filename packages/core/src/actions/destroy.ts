import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceOperation } from '@prismapi/jsonapi/request/operation'
import { authorize } from '../auth/authorize.ts'
import { findToChange, relatedRows } from '../read/find.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import { validateDelete } from '../validation/run/validate.ts'
import { payForRowsThatGo } from '../write/rows-that-go.ts'
import { removeInOneStatement } from '../write/single-statement.ts'
import { deleteRow } from '../write/write.ts'
import type { Subject } from '../write/write-context.ts'
import { isTrashed, markOfDeleted } from '../write/write-row.ts'
import { type ActionResult, noContent, type RequestContext } from './context.ts'
import { checkPrecondition, constraintErrorOfDelete, type Judged, writeJudged } from './judged.ts'
import { queryOf } from './reading.ts'

/** DELETE of a resource. */
export async function destroy(ctx: RequestContext, op: ResourceOperation): Promise<ActionResult> {
  const judged = await judgeDestroy(ctx, op)
  const { schema } = judged.subject
  if (markOfDeleted(schema, judged.row) === null) await payForRowsThatGo(ctx, schema.model, judged.row)
  if (await removeInOneStatement(judged.subject, judged.row)) return noContent
  await writeJudged(ctx, judged, {
    judge: (within) => judgeDestroy(within, op),
    write: (transaction, _, { subject, row }) => deleteRow(transaction, subject, row),
  })
  return noContent
}

interface RemovedResource extends Judged {
  readonly subject: Subject
  readonly row: Row
}

/** What the client wants removed, if it may. */
async function judgeDestroy(ctx: RequestContext, wanted: ResourceOperation): Promise<RemovedResource> {
  const row = await findToChange(ctx, wanted.schema, wanted.id)
  const op: ResourceOperation = isTrashed(wanted.schema, row) ? { ...wanted, kind: 'forceDelete' } : wanted
  const request = makeRequest(ctx, op, row)
  await authorize(ctx, op, { request, row, value: null })
  await queryOf(ctx, op)
  await checkPrecondition(ctx, op, row)
  const related = relatedRows(ctx)
  await validateDelete(ctx, op, { request, row, related })
  const subject = { ctx, schema: op.schema, related }
  return { subject, row, onBroken: constraintErrorOfDelete(subject) }
}
