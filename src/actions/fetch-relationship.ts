import { authorize } from '../auth/authorize.ts'
import { findOrFail } from '../read/find.ts'
import { toResource } from '../read/resource.ts'
import type { RelationOperation } from '../request/operation.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { versionOf } from '../write/version.ts'
import { type ActionResult, ok } from './action-result.ts'
import type { RequestContext } from './context.ts'
import { queryOf } from './query-of.ts'
import { readRelationship } from './read-relationship.ts'

export async function fetchRelationship(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const row = await findOrFail(ctx, op.schema, op.id)
  await authorize(ctx, op, { request: makeReadRequest(ctx, op, row), row, value: null })
  const query = await queryOf(ctx, op)
  const document = await readRelationship(ctx, toResource(op.schema, row), { relation: op.relation, query })
  return ok(document, versionOf(op.schema, row))
}
