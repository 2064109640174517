import { authorize } from '../auth/authorize.ts'
import { findOrFail } from '../read/find.ts'
import { toResource } from '../read/resource.ts'
import type { RelationOperation } from '../request/operation.ts'
import { isToMany } from '../schema/relation-kinds.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import { collectionDocument, resourceDocument } from '../serialize/documents.ts'
import { relatedUrl, resourceUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { type ActionResult, ok } from './action-result.ts'
import type { RequestContext } from './context.ts'
import { queryOf } from './query-of.ts'
import { readMembers, readTarget } from './read-relation.ts'

export async function fetchRelated(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const { schema, relation } = op
  const row = await findOrFail(ctx, schema, op.id)
  await authorize(ctx, op, { request: makeReadRequest(ctx, op, row), row, value: null })
  const query = await queryOf(ctx, op)
  const parent = toResource(schema, row)
  const url = relatedUrl(resourceUrl(ctx, parent), relation)
  if (!isToMany(relation))
    return ok(resourceDocument(ctx, await readTarget(ctx, parent, { relation, query }), { query, url }))
  const { resources, page, count, stats } = await readMembers(ctx, parent, {
    relation,
    query,
    schema: schemaOf(ctx.server.schemas, relation.model),
  })
  return ok(collectionDocument(ctx, resources, { query, url, page, count, stats }))
}
