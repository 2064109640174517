import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import { type Awaitable, after } from '@prismapi/jsonapi/model/awaitable'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { OrderedList } from '@prismapi/jsonapi/pagination/ordered-list'
import { defaultMetaStyle, toMeta } from '@prismapi/jsonapi/pagination/pagination'
import type { IncludedPage, Page } from '@prismapi/jsonapi/pagination/paginator'
import { includedByDefault } from '@prismapi/jsonapi/query/check-query'
import type { FieldSets, IncludedCollection, Query } from '@prismapi/jsonapi/query/query'
import { hookRequest } from '@prismapi/jsonapi/request/hook-context'
import type { ManyThrough, ToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { keyText, rowKey } from '../../database/reader.ts'
import { listOf } from '../find.ts'
import {
  type CollectionParts,
  type CollectionPlan,
  noColumns,
  planCollection,
  shownInstants,
  withColumns,
} from '../plan.ts'
import type { ReadContext } from '../read-context.ts'
import { type Resource, relate } from '../resource.ts'
import { type Loading, readSpellings, toRead } from './loading.ts'
import { pivotMeta } from './pivot-meta.ts'

export interface Child {
  /** The key of the parent. */
  readonly parent: readonly unknown[]
  readonly row: Row
  /** What lies between the two, where that is a row of its own. */
  readonly pivot?: Row
}

/** How the children of parents are found: no more than `take` of each, in the plan's order. */
export interface Children {
  /** The columns of the parent that its key is made of. */
  readonly references: readonly string[]
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
  const collection = collections.get(relation) ?? includedByDefault(ctx, schema)
  const plan = planIncluded(loading, schema, collection)
  const shown: ShownCollection = { loading, relation, plan, collection }
  // One more than is shown tells whether there is more.
  return after(children.read(plan, collection.size + 1), (found) => {
    const byParent = new Map<string, Child[]>()
    const own = parents.map(({ row }) => listAt(byParent, rowKey(row, children.references)))
    const keys: string[] = []
    const others = new Map<string, readonly unknown[]>()
    for (const { parent } of found) {
      const key = keyText(parent)
      keys.push(key)
      if (!byParent.has(key)) others.set(key, parent)
    }
    const { references } = children
    return after(readSpellings(ctx, { schema: (parents[0] as Resource).schema, references }, others), (spelt) => {
      for (const [i, child] of found.entries()) {
        const key = keys[i] as string
        byParent.get(spelt.get(key) ?? key)?.push(child)
      }
      const targets = new Set<Resource>()
      for (let i = 0; i < parents.length; i++)
        for (const target of show(parents[i] as Resource, own[i] as Child[], shown)) targets.add(target)
      return [...targets]
    })
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
  const where = schema.hooks.relatableQuery(hookRequest(ctx))
  if (where === null) return plannedOnce(collection)(schema)(fields.get(schema.type) ?? allFields)
  return planOf(schema, { ...collection, fields }, where)
}

/** What nothing narrows but the query: the same plan each time. */
const plannedOnce = memo((collection: IncludedCollection) =>
  memo((schema: ResourceSchema) =>
    memo((fieldset: ReadonlySet<string>) => {
      const fields: FieldSets = new Map(fieldset === allFields ? [] : [[schema.type, fieldset]])
      return planOf(schema, { ...collection, fields }, null)
    }),
  ),
)
/** Stands for a fieldset where none was sent. */
const allFields: ReadonlySet<string> = new Set()

function planOf(schema: ResourceSchema, query: CollectionParts['query'], where: Condition | null): CollectionPlan {
  const plan = planCollection({ schema, query, visibility: 'related', where: [where] })
  const ordering = plan.order.flatMap(({ path }) => (path.length === 1 ? path : []))
  return { ...plan, columns: withColumns(plan.columns, ordering) }
}

/** The columns with instants that may stay ISO texts, because they are only shown: none if the order uses one. */
export function shownOnly({ schema, order }: CollectionPlan): ReadonlySet<string> {
  const instants = shownInstants(schema)
  const isOrdered = ({ path: [column = ''] }: OrderTerm) => instants.has(column)
  return order.some(isOrdered) ? noColumns : instants
}

/** The page of a to-many relation that a resource shows inside of a document: how it goes on, and with which query. */
export interface ShownPage extends Pick<Page, 'meta' | 'links'>, Pick<Query, 'params'> {}

interface PageRows {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** Null for a collection that is shown whole and was not asked for by its size: there is nothing to tell. */
function shownPage(
  ctx: ReadContext,
  plan: CollectionPlan,
  { size, isSized, params }: IncludedCollection,
  { rows, hasMore }: PageRows,
): ShownPage | null {
  if (!isSized && !hasMore) return null
  const { paginator } = plan.schema
  const page = paginator?.included?.(new ShownRows(ctx, plan, { rows, size, hasMore }))
  return { params, ...(page ?? { meta: toMeta({ hasMore, perPage: size }, defaultMetaStyle), links: {} }) }
}

// A class, as all that has a getter: CONTRIBUTING.md says why.
class ShownRows implements IncludedPage {
  readonly rows: readonly Row[]
  readonly size: number
  readonly hasMore: boolean
  private readonly ctx: ReadContext
  private readonly plan: CollectionPlan

  constructor(ctx: ReadContext, plan: CollectionPlan, { rows, size, hasMore }: PageRows & { readonly size: number }) {
    this.rows = rows
    this.size = size
    this.hasMore = hasMore
    this.ctx = ctx
    this.plan = plan
  }

  /** Only some pages speak of it. */
  get list(): OrderedList {
    return listOf(this.ctx, this.plan)
  }

  // Paginators take it apart.
  readonly idOf = (row: Row): string => this.plan.schema.id.format(row)
}
