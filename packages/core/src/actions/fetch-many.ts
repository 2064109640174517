import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Document } from '@prismapi/jsonapi/document/types'
import { othersFirst } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Page } from '@prismapi/jsonapi/pagination/paginator'
import type { Query } from '@prismapi/jsonapi/query/query'
import { hookRequest } from '@prismapi/jsonapi/request/hook-context'
import type { CollectionOperation } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { authorize } from '../auth/authorize.ts'
import { checkPrice } from '../price/check-price.ts'
import { pageSource, readAll } from '../read/find.ts'
import { runReadHooks } from '../read/hooks.ts'
import { type CollectionPlan, keptOf, planCollection, planListed } from '../read/plan.ts'
import { type Resource, toResource } from '../read/resource.ts'
import { readStats, type Stats } from '../read/statistics.ts'
import { collectionDocument, resourceDocument } from '../serialize/documents.ts'
import { typeUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { type ActionResult, ok, onThread, type RequestContext } from './context.ts'
import { loadShown, queryOf } from './reading.ts'

/** GET of a collection. Who needs one of its steps alone, as pages and streams do, calls that. */
export async function fetchMany(ctx: RequestContext, op: CollectionOperation): Promise<ActionResult> {
  const checked = await checkMany(ctx, op)
  const collection = await readCollection(ctx, planMany(checked), checked.query)
  return ok(await manyDocument(ctx, checked, collection))
}

/** A collection that a request may be answered with: what narrows it beside the query, and where it lies. */
export interface CheckedCollection {
  readonly schema: ResourceSchema
  readonly query: Query
  readonly where: readonly (Condition | null)[]
  readonly url: string
}

/** @throws {JsonApiError} 403 where the caller may not list the type; 400 where its query is wrong */
export async function checkMany(ctx: RequestContext, op: CollectionOperation): Promise<CheckedCollection> {
  const { schema } = op
  await authorize(ctx, op, { request: makeReadRequest(ctx, op), row: null, value: null })
  const query = await queryOf(ctx, op)
  return { schema, query, where: [schema.hooks.indexQuery(hookRequest(ctx))], url: typeUrl(ctx, schema.type) }
}

export const planMany = ({ schema, query, where }: CheckedCollection): CollectionPlan =>
  where.every((each) => each === null)
    ? planListed(query, schema)
    : planCollection({ schema, query, visibility: 'listed', where })

/** What was read of a collection: all of it, or one page. */
export interface Collection {
  readonly resources: readonly Resource[]
  readonly page: Page | null
  /** Figures of the whole collection; null where none are asked for. */
  readonly stats: Stats | null
}

/**
 * Reads a collection of a type, or the targets of a to-many relation.
 *
 * @throws {JsonApiError} 400 where that costs too much
 */
export async function readCollection(ctx: RequestContext, plan: CollectionPlan, query: Query): Promise<Collection> {
  const { schema } = plan
  const priced = { isWhole: query.stats.length > 0, ...plan }
  const parents = query.page?.asks?.take ?? 1
  const price = await checkPrice(ctx, { query, plan: priced, schemas: [schema], parents, kept: keptOf(plan) })
  // Not between its levels, which are read from one snapshot.
  await othersFirst()
  return onThread(ctx, price, (within) => readRows(within, plan, query))
}

/** The same, whatever it costs. */
async function readRows(ctx: RequestContext, plan: CollectionPlan, query: Query): Promise<Collection> {
  const model = plan.schema.model.name
  await runReadHooks(ctx, model, 'reading')
  const [page, stats] = await Promise.all([
    query.page?.read(pageSource(ctx, plan)),
    query.stats.length > 0 ? readStats(ctx, plan, query.stats) : null,
  ])
  const rows: readonly Row[] = page ? page.rows : await readAll(ctx, plan)
  await runReadHooks(ctx, model, 'read', rows)
  const resources = rows.map((row) => toResource(plan.schema, row))
  await loadShown(ctx, resources, query)
  return { resources, page: page ?? null, stats }
}

/** A collection as a document: of its resources, or of the one resource that the query asks for. */
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
