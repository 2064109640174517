import { authorize } from '../auth/authorize.ts'
import { viewableOnly } from '../auth/viewable.ts'
import type { Condition } from '../condition/condition.ts'
import type { Document } from '../document/types.ts'
import type { Query } from '../query/query.ts'
import { type CollectionPlan, planCollection, scopesFor } from '../read/plan.ts'
import { hookRequest } from '../request/hook-request.ts'
import type { CollectionOperation } from '../request/operation.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { collectionDocument, resourceDocument } from '../serialize/documents.ts'
import { typeUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { type ActionResult, ok } from './action-result.ts'
import type { RequestContext } from './context.ts'
import { queryOf } from './query-of.ts'
import { type Collection, readCollection } from './read-collection.ts'

/** A collection that a request may be answered with: what narrows it beside the query, and where it lies. */
export interface CheckedCollection {
  readonly schema: ResourceSchema
  readonly query: Query
  readonly where: readonly (Condition | null)[]
  readonly url: string
}

export async function fetchMany(ctx: RequestContext, op: CollectionOperation): Promise<ActionResult> {
  const checked = await checkMany(ctx, op)
  return ok(await manyDocument(ctx, checked, await readCollection(ctx, planMany(ctx, checked), checked.query)))
}

export async function checkMany(ctx: RequestContext, op: CollectionOperation): Promise<CheckedCollection> {
  const { schema } = op
  await authorize(ctx, op, { request: makeReadRequest(ctx, op), row: null, value: null })
  const query = await queryOf(ctx, op)
  const where = [schema.hooks.indexQuery(hookRequest(ctx)), viewableOnly(ctx, schema)]
  return { schema, query, where, url: typeUrl(ctx, schema.type) }
}

export const planMany = (ctx: RequestContext, { schema, query, where }: CheckedCollection): CollectionPlan =>
  planCollection({ schema, query, scopes: scopesFor(ctx, query), where })

export async function manyDocument(
  ctx: RequestContext,
  { schema, query, url }: CheckedCollection,
  { resources, page, stats }: Collection,
): Promise<Document> {
  if (query.isSingular) return resourceDocument(ctx, resources[0] ?? null, { query, url })
  const { permissions } = ctx.server
  const can = permissions ? await permissions.ofType(ctx, schema) : null
  return collectionDocument(ctx, resources, { query, url, page, can, stats })
}
