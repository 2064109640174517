import type { OrderTerm } from '../../condition/order-term.ts'
import { type Awaitable, after } from '../../model/awaitable.ts'
import type { Row } from '../../model/where.ts'
import { toCheckContext } from '../../query/check-context.ts'
import { checkIncludedCollection } from '../../query/included-collection.ts'
import type { IncludedCollection } from '../../query/query.ts'
import { hookRequest } from '../../request/hook-request.ts'
import type { ManyThrough, ToMany } from '../../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../../schema/resource-schema.ts'
import { noColumns, shownInstants, withColumns } from '../columns.ts'
import { type CollectionPlan, planCollection, scopesFor } from '../plan.ts'
import { type Resource, relate } from '../resource.ts'
import { type Loading, toRead } from './loading.ts'
import { pivotMeta } from './pivot-meta.ts'
import { shownPage } from './shown-page.ts'

interface Child {
  /** The key of the parent, as text. */
  readonly parent: string
  readonly row: Row
  /** What lies between the two, where that is a row of its own. */
  readonly pivot?: Row
}

/** How the children of parents are found: no more than `take` of each, in the plan's order. */
export interface Children {
  keyOf(parent: Resource): string
  read(plan: CollectionPlan, take: number): Awaitable<readonly Child[]>
}

/** Loads a to-many relation of many resources, of each no more than it shows, and answers with its targets. */
export function loadCollections(
  loading: Loading,
  relation: ToMany,
  parents: readonly Resource[],
  children: Children,
): Awaitable<readonly Resource[]> {
  const { ctx, collections } = loading
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const collection = collections.get(relation) ?? checkIncludedCollection([], schema, toCheckContext(ctx))
  const plan = planIncluded(loading, schema, collection)
  const shown: ShownCollection = { loading, relation, plan, collection }
  // One more than is shown tells whether there is more.
  return after(children.read(plan, collection.size + 1), (found) => {
    const byParent = new Map<string, Child[]>()
    const own = parents.map((parent) => listAt(byParent, children.keyOf(parent)))
    for (const child of found) byParent.get(child.parent)?.push(child)
    const targets = new Set<Resource>()
    for (let i = 0; i < parents.length; i++)
      for (const target of show(parents[i] as Resource, own[i] as Child[], shown)) targets.add(target)
    return [...targets]
  })
}

function listAt(lists: Map<string, Child[]>, key: string): Child[] {
  const known = lists.get(key)
  if (known) return known
  const list: Child[] = []
  lists.set(key, list)
  return list
}

interface ShownCollection {
  readonly loading: Loading
  readonly relation: ToMany
  readonly plan: CollectionPlan
  readonly collection: IncludedCollection
}

/** Remembers what a parent shows of the relation, and how it goes on. */
function show(parent: Resource, found: readonly Child[], { loading, relation, plan, collection }: ShownCollection) {
  const children = found.length > collection.size ? found.slice(0, collection.size) : found
  const targets = children.map(({ row }) => toRead(loading, plan.schema, row).resource)
  loading.size.add(targets.length)
  relate(parent, relation.name, targets)
  if (relation.kind === 'manyThrough') keepPivotMeta(loading, relation, parent, children, targets)
  const hasMore = found.length > children.length
  const page = shownPage(loading.ctx, plan, collection, { rows: children.map(({ row }) => row), hasMore })
  if (page) parent.pages = new Map([...(parent.pages ?? []), [relation.name, page]])
  return targets
}

function keepPivotMeta(
  { ctx, fields }: Loading,
  { name, pivot }: ManyThrough,
  parent: Resource,
  children: readonly Child[],
  targets: readonly Resource[],
): void {
  const pairs = children.map((child, i) => ({ target: targets[i] as Resource, pivot: child.pivot as Row }))
  const meta = pivotMeta(ctx, { pivot, fields }, pairs)
  if (meta) parent.pivotMeta = new Map([...(parent.pivotMeta ?? []), [name, meta]])
}

/** What the relation's own URL would show, with the columns that its pages go on from. */
function planIncluded(
  { ctx, fields }: Loading,
  schema: ResourceSchema,
  collection: IncludedCollection,
): CollectionPlan {
  const plan = planCollection({
    schema,
    query: { ...collection, fields },
    scopes: scopesFor(ctx, collection),
    where: [schema.hooks.relatableQuery(hookRequest(ctx))],
  })
  const ordering = plan.order.flatMap(({ path }) => (path.length === 1 ? path : []))
  return { ...plan, columns: withColumns(plan.columns, ordering) }
}

/** The columns that the pivots of a page do not speak of either. */
export function shownOnly({ schema, order }: CollectionPlan): ReadonlySet<string> {
  const instants = shownInstants(schema)
  const isOrdered = ({ path: [column = ''] }: OrderTerm) => instants.has(column)
  return order.some(isOrdered) ? noColumns : instants
}
