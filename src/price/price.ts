import { everything } from '../condition/build.ts'
import type { TableSizes } from '../database/table-sizes.ts'
import { memo } from '../model/memo.ts'
import type { Resources } from '../model/meta.ts'
import { maxSizeOf } from '../pagination/pagination.ts'
import type { AskedRows, PageRequest } from '../pagination/paginator.ts'
import type { IncludeTree, Query } from '../query/query.ts'
import type { Limits } from '../request/limits.ts'
import { isToMany, type Relation, type ToMany } from '../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf, targetSchemas } from '../schema/resource-schema.ts'
import { type DescribedTypes, endsFor } from './characters.ts'
import type { Scan } from './column-price.ts'
import { conditionPrice } from './condition-price.ts'
import { type PricedCollection, priceOfRows } from './rows-price.ts'
import { type Sizes, sizesOf } from './sizes.ts'

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
}

type Shown = Pick<Query, 'include' | 'collections' | 'counts'>

/** Of a page, what it reads. */
export interface Paged {
  readonly page: Pick<PageRequest, 'asks'> | null
}

/** To make a resource and to write it into a document takes as long as to look at so many rows. */
export const pointsOfResource = 20
/** And a statement of its own for each step of a path. */
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
  const { points, searched, scans, met } = priceOfRows(plan, asked, sizesFor(ctx))
  const parents = Math.min(asked.take, met)
  const found = { points, searched, scans, resources: parents }
  const shown = partsOfShown(ctx, [plan.schema], { query, parents })
  return toPrice(shown === noParts ? found : added([found, shown]), ctx)
}

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

/** The price of what is shown of so many resources: page × fan-out along each path of `include`, and what is counted. */
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

export const sizesFor = ({ server, store }: PriceContext): Sizes => sizesWith(server)(store.tableSizes)

// Both live as long as their server.
const sizesWith = memo((server: PriceContext['server']) =>
  memo((tableSizes: TableSizes) => sizesOf(tableSizes, server.resources.models, endsFor(server))),
)
