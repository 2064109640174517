import { authorize } from '../auth/authorize.ts'
import type { RequestContext } from '../request/context.ts'
import type { ResourceOperation } from '../request/operation.ts'
import { resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import { findOrFail } from '../store/find.ts'
import { tellRead } from '../store/hooks.ts'
import { toResource } from '../store/resource.ts'
import { versionOf } from '../store/version.ts'
import { makeReadRequest } from '../validation/classes/make-request.ts'
import { type Answer, ok } from './answer.ts'
import { loadShown } from './load-shown.ts'
import { queryOf } from './query-of.ts'

export async function fetchOne(ctx: RequestContext, op: ResourceOperation): Promise<Answer> {
  const row = await findOrFail(ctx, op.schema, op.id)
  await authorize(ctx, op, { request: makeReadRequest(ctx, op, row), row, value: null })
  const query = queryOf(ctx, op)
  await tellRead(ctx, op.schema.model.name, 'reading')
  await tellRead(ctx, op.schema.model.name, 'read', [row])
  const resource = toResource(op.schema, row)
  await loadShown(ctx, [resource], query)
  return ok(resourceDocument(ctx, resource, { query, url: resourceUrl(ctx, resource) }), versionOf(op.schema, row))
}
