import { everything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import { type BoundedCache, boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { maxSizeOf } from '@prismapi/jsonapi/pagination/pagination'
import type { AskedRows, PageRequest } from '@prismapi/jsonapi/pagination/paginator'
import type { IncludeTree, Query } from '@prismapi/jsonapi/query/query'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import { isToMany, type Relation, type ToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import type { TableSizes } from '../database/tables.ts'
import type { Rows, Visibility } from '../read/rows.ts'
import {
  conditionPrice,
  type DescribedTypes,
  endsFor,
  hasIndex,
  pointsOf,
  ranges,
  type Scan,
  type Sizes,
  sizesOf,
} from './condition-price.ts'

/** What a request costs, before anything of it is read. */
export interface Price {
  /** A point is a row that is looked at. */
  readonly points: number
  /** How many rows have their texts searched. */
  readonly searched: number
  readonly scans: readonly Scan[]
}

/** What a price is made from. */
export interface PriceContext {
  readonly server: DescribedTypes & { readonly resources: Resources }
  readonly limits: Limits
  readonly store: { readonly tableSizes: TableSizes }
  readonly rows: Pick<Rows, 'where' | 'visible'>
}

type Shown = Pick<Query, 'include' | 'collections' | 'counts'>

/** Of a page, what it reads. */
export interface Paged {
  readonly page: Pick<PageRequest, 'asks'> | null
}

/** To make a resource and to write it into a document takes as long as to look at so many rows. */
export const pointsOfResource = 20
/** Points for the extra statement that each step of an include path needs. */
const pointsOfStatement = 30

/** What is looked at, and how many resources are shown of it. */
interface Parts extends Price {
  readonly resources: number
}

/** A document ends at its limit, whatever there is. */
const toPrice = ({ points, searched, scans, resources }: Parts, { limits }: PriceContext): Price => ({
  points: points + pointsOfResource * Math.min(resources, limits.resources),
  searched,
  scans,
})

/** The price of a page of a collection, with all that is shown of its resources. */
export function priceOfCollection(ctx: PriceContext, plan: PricedCollection, query: Shown & Paged): Price {
  const asked = askedRows(ctx, plan.schema, query)
  const where = ctx.rows.where(plan.visibility, plan.schema.model.name, plan.where)
  const { points, searched, scans, met } = priceOfRows({ ...plan, where }, asked, sizesFor(ctx))
  const parents = Math.min(asked.take, met)
  const found = { points, searched, scans, resources: parents }
  const shown = partsOfShown(ctx, [plan.schema], { query, parents })
  return toPrice(shown === noParts ? found : added([found, shown]), ctx)
}

/**
 * The same for a collection that many requests ask for, which `kept` stands for: made once for each page and for who
 * sees the same rows, as long as tables have the sizes that they had.
 */
export function keptPrice(ctx: PriceContext, plan: PricedCollection, { query, kept }: PricedOften): Price {
  const { rows, limits, store } = ctx
  const prices = keptPrices(kept)
  const sizes = store.tableSizes.state()
  if (prices.sizes !== sizes) Object.assign(prices, { sizes, ofSights: new Map() })
  const { ofSights } = prices
  const visible = rows.visible(plan.visibility, plan.schema.model.name)
  const known = ofSights.get(visible) ?? boundedCache<Price>(keptPages)
  if (ofSights.size === mostSights && !ofSights.has(visible)) ofSights.clear()
  ofSights.set(visible, known)
  const { take, skip = 0, counted = false } = askedRows(ctx, plan.schema, query)
  return known.get(`${take} ${skip} ${counted} ${limits.resources}`, () => priceOfCollection(ctx, plan, query))
}

interface PricedOften {
  readonly query: Shown & Paged
  readonly kept: object
}

interface KeptPrices {
  sizes: object | null
  ofSights: Map<Condition, BoundedCache<Price>>
}

const keptPrices = memo((_: object): KeptPrices => ({ sizes: null, ofSights: new Map() }))
const keptPages = 100
const mostSights = 4

function askedRows({ limits }: PriceContext, schema: ResourceSchema, { page }: Paged): AskedRows {
  if (page === null) return { take: limits.resources + 1 }
  return page.asks ?? { take: maxSizeOf(schema) }
}

interface Parents {
  readonly query: Shown
  readonly parents: number
}

export const noPrice: Price = { points: 0, searched: 0, scans: [] }
const noParts: Parts = { ...noPrice, resources: 0 }

/** The price of showing so many resources: page × fan-out along each path of `include`, and what is counted. */
export const priceOfShown = (ctx: PriceContext, schemas: readonly ResourceSchema[], parents: Parents): Price =>
  toPrice(partsOfShown(ctx, schemas, parents), ctx)

function partsOfShown(ctx: PriceContext, schemas: readonly ResourceSchema[], { query, parents }: Parents): Parts {
  const { include, counts } = query
  if (include.size === 0 && counts.size === 0) return noParts
  const sizes = sizesFor(ctx)
  const counted = schemas.flatMap((schema) =>
    [...schema.relations.values()]
      .filter(isToMany)
      .filter(({ name }) => counts.has(name))
      .map((relation) => ({ ...noParts, points: reached(relation, schema, { parents, sizes }) })),
  )
  return added([...counted, levelParts(ctx, schemas, { query, parents, sizes, tree: include })])
}

interface Level extends Parents {
  readonly sizes: Sizes
  readonly tree: IncludeTree
}

function levelParts(ctx: PriceContext, schemas: readonly ResourceSchema[], level: Level): Parts {
  const edges = schemas.flatMap((schema) =>
    [...schema.relations.values()].flatMap((relation) => {
      const subtree = level.tree.get(relation.name)
      return subtree ? [edgeParts(ctx, { schema, relation }, { ...level, tree: subtree })] : []
    }),
  )
  return added(edges)
}

interface Edge {
  readonly schema: ResourceSchema
  readonly relation: Relation
}

function edgeParts(ctx: PriceContext, { schema, relation }: Edge, level: Level): Parts {
  const targets = targetSchemas(ctx.server.schemas, relation)
  const own = isToMany(relation)
    ? toManyParts(ctx, { schema, relation }, level)
    : { ...noParts, points: level.parents, resources: level.parents }
  // A document has each of them once.
  const rows = Math.max(...targets.map(({ model }) => level.sizes.rows(model)), 0)
  const parents = Math.min(own.resources, rows)
  return added([
    { ...own, points: own.points + pointsOfStatement, resources: parents },
    levelParts(ctx, targets, { ...level, parents }),
  ])
}

function toManyParts(
  { server }: PriceContext,
  { schema, relation }: Edge & { readonly relation: ToMany },
  { query, parents, sizes }: Level,
): Parts {
  const target = schemaOf(server.schemas, relation.model)
  const collection = query.collections.get(relation)
  const condition = conditionPrice(collection?.filter ?? everything, { model: target.model, sizes })
  const rows = reached(relation, schema, { parents, sizes })
  const resources = Math.min(rows, parents * (collection?.size ?? maxSizeOf(target)))
  return {
    points: rows * condition.each + condition.once,
    searched: condition.searched + (condition.isSearch ? rows : 0),
    scans: condition.scans,
    resources,
  }
}

/** The rows that a to-many relation of so many resources leads to; of a table, a row belongs to one of them alone. */
function reached(
  relation: ToMany,
  { model }: ResourceSchema,
  { parents, sizes }: Pick<Level, 'parents' | 'sizes'>,
): number {
  const field = model.relations[relation.kind === 'manyThrough' ? relation.pivot.list : relation.field]
  if (!field) return parents
  // One of them may be the one that has most.
  const all = parents * sizes.fanOut(model, field) + (parents > 0 ? sizes.most(model, field) : 0)
  return field.join ? all : Math.min(all, sizes.rows(sizes.models[field.model] ?? model))
}

const added = (parts: readonly Parts[]): Parts =>
  parts.reduce(
    (all, { points, searched, scans, resources }) => ({
      points: all.points + points,
      searched: all.searched + searched,
      scans: scans.length === 0 ? all.scans : [...all.scans, ...scans],
      resources: all.resources + resources,
    }),
    noParts,
  )

export const sizesFor = ({ server, store }: Pick<PriceContext, 'server' | 'store'>): Sizes =>
  sizesWith(server)(store.tableSizes)

// Both live as long as their server.
const sizesWith = memo((server: PriceContext['server']) =>
  memo((tableSizes: TableSizes) => sizesOf(tableSizes, server.resources.models, endsFor(server))),
)

export interface PricedCollection {
  readonly schema: ResourceSchema
  readonly visibility: Visibility
  /** Beside what the caller does not see. */
  readonly where: Condition
  readonly order: readonly OrderTerm[]
  /** All of its rows are looked at, for figures of them. */
  readonly isWhole?: boolean
  /** How many extra looks each row costs for grouping. */
  readonly grouped?: number
}

/** The price of the rows of a collection alone. */
export function priceOfRows(
  { schema, where: condition, order, isWhole = false, grouped = 0 }: Omit<PricedCollection, 'visibility'>,
  { take, skip = 0, counted = false }: AskedRows,
  sizes: Sizes,
): Price & { readonly met: number } {
  const { model } = schema
  const table = sizes.rows(model)
  const behind = order.reduce((joins, { path }) => joins + path.length - 1, 0)
  const sorts = isOrdered(order, schema) ? 0 : 1 + behind
  const numbers = countedRows(order, model, sizes)
  const countedTo = counted === true ? Infinity : Number(counted)
  const sortsTexts = sorts > 0 && order.some((term) => isEndless(term, model, sizes))
  if (condition === everything) {
    const wanted = isWhole ? table : Math.min(take + skip, table)
    const points =
      (sorts > 0 ? table * sorts : wanted) + table * grouped + Math.min(countedTo, table) / countedOfPoint + numbers
    return { points, searched: sortsTexts ? table : 0, scans: sorts > 0 ? orderScan(order, schema) : [], met: table }
  }
  const price = conditionPrice(condition, { model, sizes })
  if (!isWhole && countedTo < Infinity && sorts === 0 && isPartOf(condition, order[0])) {
    const met = Math.ceil(price.share * table)
    return { points: Math.min(take + skip, table) + Math.min(countedTo, met), searched: 0, scans: [], met }
  }
  const met = Math.ceil(Math.min(price.share * table, price.rows ?? table))
  // A total looks at each row once more, until it has counted enough, which is nothing beside a search or a join.
  const again = countedTo < met ? countedTo / met : Math.min(countedTo, 1)
  const each = Math.max(price.each, 1 + again) + sorts + grouped
  const { points, searched } = pointsOf(each === price.each ? price : { ...price, each }, table)
  const sorted = sortsTexts ? Math.min(price.rows ?? table, table) : 0
  return { points: points + numbers, searched: searched + sorted, scans: price.scans, met }
}

/** Is it an order of texts of any length, each of which is read whole. */
function isEndless({ path }: OrderTerm, model: ModelMeta, sizes: Sizes): boolean {
  const target = modelAt(path.slice(0, -1), model, sizes)
  const column = target.columns[path.at(-1) ?? '']
  return column?.type === 'String' && !sizes.hasEnd(target, column) && !hasIndex(target, column)
}

const modelAt = (path: readonly string[], model: ModelMeta, sizes: Sizes): ModelMeta =>
  path.reduce((at, step) => sizes.models[at.relations[step]?.model ?? ''] ?? at, model)

/** The rows whose numbers an order is made of: each is looked at once, whatever the page. */
function countedRows(order: readonly OrderTerm[], model: ModelMeta, sizes: Sizes): number {
  let rows = 0
  for (const { path, seen } of order) {
    if (path.at(-1) !== '_count') continue
    const target = modelAt(path.slice(0, -1), model, sizes)
    rows += sizes.rows(target) * (seen ? conditionPrice(seen.counted, { model: target, sizes }).each : 1)
  }
  return rows
}

/** Whether the condition bounds the range of the order's index that is read: then each row in the range meets it. */
function isPartOf(condition: Condition, first: OrderTerm | undefined): boolean {
  if (condition.kind === 'all') return condition.conditions.every((each) => isPartOf(each, first))
  return condition.kind === 'compare' && ranges.has(condition.operator) && condition.column.name === first?.path[0]
}

/** Rows that are counted, and not read, count as one. */
const countedOfPoint = 100

/** Does an index have the order. */
export const isOrdered = ([first]: readonly OrderTerm[], { model }: ResourceSchema): boolean =>
  first === undefined ||
  (first.path.length === 1 && !first.seen && !first.nulls && hasIndex(model, { name: first.path[0] as string }))

const orderScan = ([first]: readonly OrderTerm[], { model }: ResourceSchema): readonly Scan[] =>
  first?.path.length === 1 ? [{ model: model.name, column: first.path[0] as string, isSearch: false }] : []
