import { authorize } from '../auth/authorize.ts'
import { findOrFail } from '../read/find.ts'
import { toResource } from '../read/resource.ts'
import type { RelationOperation } from '../request/operation.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { toldVersion } from '../write/version.ts'
import { type ActionResult, ok } from './action-result.ts'
import { checkShown } from './check-fields.ts'
import type { RequestContext } from './context.ts'
import { queryOf } from './query-of.ts'
import { readRelationship } from './read-relationship.ts'

export async function fetchRelationship(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const row = await findOrFail(ctx, op.schema, op.id)
  await authorize(ctx, op, { request: makeReadRequest(ctx, op, row), row, value: null })
  const query = await queryOf(ctx, op)
  const parent = toResource(op.schema, row)
  await checkShown(ctx, parent, op.relation)
  const document = await readRelationship(ctx, parent, { relation: op.relation, query })
  return ok(document, toldVersion(ctx, op.schema, row))
}
