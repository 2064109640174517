import type { DataDocument, Document } from '@prismapi/jsonapi/document/types'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Query } from '@prismapi/jsonapi/query/query'
import { hookRequest } from '@prismapi/jsonapi/request/hook-context'
import type { RelationOperation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation, type ToMany, type ToOne } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { authorize } from '../auth/authorize.ts'
import { findOrFail } from '../read/find.ts'
import { countMembers, loadCounts } from '../read/loading/load.ts'
import { readPivotMeta } from '../read/loading/pivot-meta.ts'
import { type CollectionPlan, membersOf, planCollection, visibilityFor } from '../read/plan.ts'
import { type Resource, toResource } from '../read/resource.ts'
import { collectionDocument, relationshipDocument, resourceDocument } from '../serialize/documents.ts'
import { relatedUrl, resourceUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { toldVersion } from '../write/write-row.ts'
import { checkShown } from './check-fields.ts'
import { type ActionResult, ok, type RequestContext } from './context.ts'
import { type Collection, readCollection } from './fetch-many.ts'
import { loadAside, queryOf } from './reading.ts'

export async function fetchRelated(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const { relation } = op
  const { parent, query, url } = await checkRelated(ctx, op)
  if (!isToMany(relation))
    return ok(await resourceDocument(ctx, await readTarget(ctx, parent, { relation, query }), { query, url }))
  const members = await readMembers(ctx, parent, {
    relation,
    query,
    schema: schemaOf(ctx.server.schemas, relation.model),
  })
  return ok(await membersDocument(ctx, { query, url }, members))
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
): Awaitable<Document> => collectionDocument(ctx, resources, { query, url, page, count, stats })

export async function fetchRelationship(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const { parent, query } = await checkRelated(ctx, op)
  const document = await readRelationship(ctx, parent, { relation: op.relation, query })
  return ok(document, toldVersion(ctx, op.schema, parent.row))
}

interface TargetRead {
  readonly relation: ToOne
  /** Its include paths begin at the target. */
  readonly query: Query
}

/** The target of a to-one relation; null when there is none, or when it is hidden. */
async function readTarget(
  ctx: RequestContext,
  parent: Resource,
  { relation, query }: TargetRead,
): Promise<Resource | null> {
  await loadAside(ctx, [parent], { ...query, counts: new Set(), include: new Map([[relation.name, query.include]]) })
  const target = (parent.related?.get(relation.name) ?? null) as Resource | null
  if (target) await loadCounts(ctx, [target], query)
  if (target) await ctx.server.permissions?.attach(ctx, [target], query.include)
  return target
}

interface MembersRead {
  readonly relation: ToMany
  readonly schema: ResourceSchema
  readonly query: Query
}

/** The targets of a to-many relation, and how many there are where that is told. */
interface Members extends Collection {
  readonly count: number | null
}

/** The targets of a to-many relation, paginated like any collection of their type. */
export async function readMembers(
  ctx: RequestContext,
  parent: Resource,
  { relation, schema, query }: MembersRead,
): Promise<Members> {
  const plan = planMembers(ctx, parent, { relation, schema, query })
  if (!relation.isCountable) return { ...(await readCollection(ctx, plan, query)), count: null }
  if (isWhole(query)) {
    const collection = await readCollection(ctx, plan, query)
    return { ...collection, count: collection.resources.length }
  }
  const [collection, count] = await Promise.all([readCollection(ctx, plan, query), countMembers(ctx, relation, parent)])
  return { ...collection, count }
}

export function planMembers(
  ctx: RequestContext,
  parent: Resource,
  { relation, schema, query }: MembersRead,
): CollectionPlan {
  const members = membersOf(ctx, relation, parent, visibilityFor('related', query))
  const where = [members, schema.hooks.relatableQuery(hookRequest(ctx))]
  return planCollection({ schema, query, visibility: 'related', where })
}

/** Is all of the relation what the query answers with. */
const isWhole = ({ page, filter, trashed }: Query): boolean => page === null && filter === null && trashed === 'without'

/** The query of a relationship URL, whose include paths begin with the relation's own name, as one of its targets. */
const targetQuery = (query: Query, relation: Relation): Query => ({
  ...query,
  include: query.include.get(relation.name) ?? new Map(),
})

/** Reads a relationship, and answers with its linkage. */
export async function readRelationship(
  ctx: RequestContext,
  parent: Resource,
  shown: { relation: Relation; query: Query },
): Promise<DataDocument> {
  const { relation, query } = shown
  const self = resourceUrl(ctx, parent)
  const inner = targetQuery(query, relation)
  if (!isToMany(relation)) {
    const target = await readTarget(ctx, parent, { relation, query: inner })
    return relationshipDocument(ctx, target, { relation, query, self, page: null })
  }
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const { resources, page, count } = await readMembers(ctx, parent, { relation, schema, query: inner })
  const { fields } = query
  const pivotMeta =
    relation.kind === 'manyThrough'
      ? await readPivotMeta(ctx, { relation, fields }, { parent, targets: resources })
      : null
  return relationshipDocument(ctx, resources, { relation, query, self, page, count, pivotMeta })
}
