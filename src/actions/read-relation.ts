import type { Query } from '../query/query.ts'
import { countMembers, loadCounts } from '../read/loading/counts.ts'
import { type CollectionPlan, planCollection, scopesFor } from '../read/plan.ts'
import type { Resource } from '../read/resource.ts'
import { membersOf, seenBy } from '../read/row-conditions.ts'
import { hookRequest } from '../request/hook-request.ts'
import type { Relation, ToMany, ToOne } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { RequestContext } from './context.ts'
import { loadAside } from './load-shown.ts'
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
export interface Members extends Collection {
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
  const scopes = scopesFor(ctx, query)
  const where = [
    membersOf(relation, parent.schema, parent.row, seenBy(ctx, scopes)),
    schema.hooks.relatableQuery(hookRequest(ctx)),
  ]
  return planCollection({ schema, query, scopes, where })
}

/** Is all of the relation what the query answers with. */
const isWhole = ({ page, filter, trashed }: Query): boolean => page === null && filter === null && trashed === 'without'

/** The query of a relationship URL, whose include paths begin with the relation's own name, as one of its targets. */
export const targetQuery = (query: Query, relation: Relation): Query => ({
  ...query,
  include: query.include.get(relation.name) ?? new Map(),
})
