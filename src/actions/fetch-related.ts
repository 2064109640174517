import { authorize } from '../auth/authorize.ts'
import type { Document } from '../document/types.ts'
import type { Query } from '../query/query.ts'
import { findOrFail } from '../read/find.ts'
import { type Resource, toResource } from '../read/resource.ts'
import type { RelationOperation } from '../request/operation.ts'
import { isToMany } from '../schema/relation-kinds.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import { collectionDocument, resourceDocument } from '../serialize/documents.ts'
import { relatedUrl, resourceUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { type ActionResult, ok } from './action-result.ts'
import { checkShown } from './check-fields.ts'
import type { RequestContext } from './context.ts'
import { queryOf } from './query-of.ts'
import { type Members, readMembers, readTarget } from './read-relation.ts'

export async function fetchRelated(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const { relation } = op
  const { parent, query, url } = await checkRelated(ctx, op)
  if (!isToMany(relation))
    return ok(resourceDocument(ctx, await readTarget(ctx, parent, { relation, query }), { query, url }))
  const members = await readMembers(ctx, parent, {
    relation,
    query,
    schema: schemaOf(ctx.server.schemas, relation.model),
  })
  return ok(membersDocument(ctx, { query, url }, members))
}

/** A relation that a request may be answered with. */
export interface CheckedRelation {
  readonly parent: Resource
  readonly query: Query
  readonly url: string
}

/** @throws {JsonApiError} 404 where the parent is absent or hidden */
export async function checkRelated(ctx: RequestContext, op: RelationOperation): Promise<CheckedRelation> {
  const { schema, relation } = op
  const row = await findOrFail(ctx, schema, op.id)
  await authorize(ctx, op, { request: makeReadRequest(ctx, op, row), row, value: null })
  const query = await queryOf(ctx, op)
  const parent = toResource(schema, row)
  await checkShown(ctx, parent, relation)
  return { parent, query, url: relatedUrl(resourceUrl(ctx, parent), relation) }
}

export const membersDocument = (
  ctx: RequestContext,
  { query, url }: Pick<CheckedRelation, 'query' | 'url'>,
  { resources, page, count, stats }: Members,
): Document => collectionDocument(ctx, resources, { query, url, page, count, stats })
