import type { Query } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import type { Relation, ResourceSchema, ToMany, ToOne } from '../schema/resource-schema.ts'
import { loadRelated } from '../store/load.ts'
import { hookRequest, membersOf, planCollection, scopesFor } from '../store/plan.ts'
import type { Resource } from '../store/resource.ts'
import { type Collection, readCollection } from './read-collection.ts'

interface TargetRead {
  readonly relation: ToOne
  /** Its include paths begin at the target. */
  readonly query: Query
}

/** The target of a to-one relation; null when there is none, or when it is hidden. */
export async function readTarget(
  ctx: RequestContext,
  parent: Resource,
  { relation, query }: TargetRead,
): Promise<Resource | null> {
  await loadRelated(ctx, [parent], { ...query, include: new Map([[relation.name, query.include]]) })
  return (parent.related.get(relation.name) ?? null) as Resource | null
}

interface MembersRead {
  readonly relation: ToMany
  readonly schema: ResourceSchema
  readonly query: Query
}

/** The targets of a to-many relation, paginated like any collection of their type. */
export function readMembers(
  ctx: RequestContext,
  parent: Resource,
  { relation, schema, query }: MembersRead,
): Promise<Collection> {
  const where = [membersOf(relation, parent.schema, parent.row), schema.hooks.relatableQuery(hookRequest(ctx))]
  return readCollection(ctx, planCollection({ schema, query, scopes: scopesFor(ctx, query), where }), query)
}

/** The query of a relationship URL, whose include paths begin with the relation's own name, as one of its targets. */
export const targetQuery = (query: Query, relation: Relation): Query => ({
  ...query,
  include: query.include.get(relation.name) ?? new Map(),
})
