import type { ResourceOperation } from '@prismapi/jsonapi/request/operation'
import { authorize } from '../auth/authorize.ts'
import { findOrFail } from '../read/find.ts'
import { runReadHooks } from '../read/hooks.ts'
import { toResource } from '../read/resource.ts'
import { resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { toldVersion } from '../write/write-row.ts'
import { type ActionResult, ok, type RequestContext } from './context.ts'
import { loadShown, queryOf } from './reading.ts'

export async function fetchOne(ctx: RequestContext, op: ResourceOperation): Promise<ActionResult> {
  const row = await findOrFail(ctx, op.schema, op.id)
  await authorize(ctx, op, { request: makeReadRequest(ctx, op, row), row, value: null })
  const query = await queryOf(ctx, op)
  await runReadHooks(ctx, op.schema.model.name, 'reading')
  await runReadHooks(ctx, op.schema.model.name, 'read', [row])
  const resource = toResource(op.schema, row)
  await loadShown(ctx, [resource], query)
  return ok(
    await resourceDocument(ctx, resource, { query, url: resourceUrl(ctx, resource) }),
    toldVersion(ctx, op.schema, row),
  )
}
