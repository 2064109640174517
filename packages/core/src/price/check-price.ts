import { everything } from '@prismapi/jsonapi/condition/build'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { tooExpensive, tooMuchWritten } from '@prismapi/jsonapi/document/errors'
import { isObject } from '@prismapi/jsonapi/document/types'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { AskedRows } from '@prismapi/jsonapi/pagination/paginator'
import { checkFilter } from '@prismapi/jsonapi/query/filter'
import { type Parameter, wellFormedParameters } from '@prismapi/jsonapi/query/parameters'
import type { Query } from '@prismapi/jsonapi/query/query'
import { type QueryContext, toCheckContext } from '@prismapi/jsonapi/query/query-context'
import { sizeParameter } from '@prismapi/jsonapi/request/hook-context'
import type { PricedParameter } from '@prismapi/jsonapi/request/observer'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Scan } from './condition-price.ts'
import {
  keptPrice,
  noPrice,
  type Paged,
  type Price,
  type PriceContext,
  type PricedCollection,
  priceOfCollection,
  priceOfRows,
  priceOfShown,
  sizesFor,
} from './price.ts'

export interface CheckedContext extends AskedContext {
  readonly server: AskedContext['server'] & { readonly production: boolean }
  /** Null where the request needs none, or has one. */
  readonly place: Admission | null
}

/** The place of a request among dear ones, which it takes before it reads anything. */
export interface Admission {
  take(points: number): Awaitable<void>
}

/**
 * The price of what is asked for, before anything of it is read.
 *
 * @throws {JsonApiError} 400 where it is more than a request may cost, at the dearest parameter.
 */
export async function checkPrice(ctx: CheckedContext, subject: Subject): Promise<Price> {
  await ctx.store.tableSizes.first()
  const price = priceOfSubject(ctx, subject)
  const { cost: limit } = ctx.limits
  const points = Math.round(price.points)
  await ctx.observer?.priced?.({ points, limit, parameters: () => parameterPrices(ctx, subject) })
  if (points > limit) throw tooDear(ctx, subject, price)
  await ctx.place?.take(price.points)
  return price
}

function priceOfSubject(ctx: CheckedContext, { query, plan, schemas, parents, kept }: Subject): Price {
  if (!plan) return priceOfShown(ctx, schemas, { query, parents })
  return kept ? keptPrice(ctx, plan, { query, kept }) : priceOfCollection(ctx, plan, query)
}

function tooDear(ctx: CheckedContext, subject: Subject, { points }: Price) {
  const [dearest] = parameterPrices(ctx, subject)
  const told = `Its price is ${Math.round(points)}, and ${ctx.limits.cost} is the limit.${cureOf(dearest?.scans ?? [])}`
  return tooExpensive(dearest?.parameter ?? sizeParameter(ctx.at), ctx.server.production ? null : told)
}

/** Sizes of tables are told by figures; in production there are none. */
function cureOf(scans: readonly Scan[]): string {
  const missing = scans.find(({ isSearch }) => !isSearch)
  if (missing) return ` @@index([${missing.column}]) of the model ${missing.model} would help.`
  const [search] = scans
  return search
    ? ` No index helps a search in ${search.model}.${search.column}; beside it, a condition on a column with one does.`
    : ''
}

/** Writing a resource takes as long as reading so many rows, with its rules, hooks and the document of the response. */
const pointsOfWrite = 20
/** An identifier is looked up, policies and rules are asked about it, and its link is written. */
const pointsOfIdentifier = 120

/** The price of a write: of each resource and identifier in the document. What the response shows is priced apart. */
export const priceOfWrite = (body: unknown, operations: number): number =>
  pointsOfWrite * Math.max(1, operations) + pointsOfIdentifier * identifiersIn(body)

/**
 * Of a write, before anything of it is carried out.
 *
 * @param pointer where its document is about what costs that much
 * @throws {JsonApiError} 400 where that is more than a request may cost.
 */
export function checkWritePrice(
  { limits, server }: Pick<CheckedContext, 'limits' | 'server'>,
  points: number,
  pointer: string,
): void {
  if (points <= limits.cost) return
  const detail = `Its price is ${points}, and ${limits.cost} is the limit.`
  throw tooMuchWritten(pointer, server.production ? null : detail)
}

/** What names a type has been sent to be a resource, or to be found. */
function identifiersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + identifiersIn(each), 0)
  if (!isObject(value)) return 0
  const own = typeof value.type === 'string' ? 1 : 0
  return Object.values(value).reduce<number>((sum, each) => sum + identifiersIn(each), own)
}

type AskedContext = PriceContext & QueryContext

export type PricedQuery = Pick<Query, 'include' | 'collections' | 'counts'> & Paged

/** What is priced: a collection, or one resource of the types. */
interface Subject {
  readonly schemas: readonly ResourceSchema[]
  readonly query: PricedQuery
  /** Null where no collection is read. */
  readonly plan: PricedCollection | null
  /** How many resources are shown at the most. */
  readonly parents: number
  /** Stands for a collection, and what is shown of it, of which requests ask for one page or another. */
  readonly kept?: object | null
}

/** What a parameter costs, and what makes it dear. */
export interface ParameterPrice extends PricedParameter {
  readonly scans: readonly Scan[]
}

/** The price of each parameter alone, the highest first. It is slow: for those who ask, and for refused requests. */
function parameterPrices(ctx: AskedContext, subject: Subject): readonly ParameterPrice[] {
  return wellFormedParameters(ctx.at)
    .map((parameter) => ({ parameter, price: priceOf(parameter, ctx, subject) }))
    .filter(({ price }) => price.points > 0)
    .map(({ parameter, price }) => ({ parameter: parameter.key, points: Math.round(price.points), scans: price.scans }))
    .sort((a, b) => b.points - a.points)
}

const noCounts: ReadonlySet<string> = new Set()

function priceOf(parameter: Parameter, ctx: AskedContext, { schemas, query, plan, parents }: Subject): Price {
  const shown = (part: Partial<PricedQuery>) => priceOfShown(ctx, schemas, { query: { ...query, ...part }, parents })
  switch (parameter.family) {
    case 'include':
      return shown({ counts: noCounts, collections: new Map() })
    case 'includeFilter': {
      const price = shown({ counts: noCounts })
      return { ...price, points: price.points - shown({ counts: noCounts, collections: new Map() }).points }
    }
    case 'withCount':
      return shown({ include: new Map() })
    default:
      return plan ? priceInPlan(parameter, ctx, { query, plan }) : noPrice
  }
}

function priceInPlan(
  parameter: Parameter,
  ctx: AskedContext,
  { query, plan }: { readonly query: PricedQuery; readonly plan: PricedCollection },
): Price {
  const price = (part: Partial<PricedCollection>, asked: AskedRows = { take: 0 }) =>
    priceOfRows({ ...plan, where: everything, order: [], isWhole: false, grouped: 0, ...part }, asked, sizesFor(ctx))
  switch (parameter.family) {
    case 'page':
      return price({}, query.page?.asks)
    case 'sort':
      return price({ order: plan.order })
    case 'withStats':
      return price({ isWhole: true })
    case 'groupBy':
      return price({ isWhole: true, grouped: plan.grouped ?? 0 })
    case 'filter': {
      const where = filterOf(parameter, ctx, plan)
      return where === null ? noPrice : price({ where })
    }
    default:
      return noPrice
  }
}

/** The condition of a parameter alone; null for the one that asks for deleted rows. */
function filterOf(parameter: Parameter, ctx: AskedContext, { schema }: PricedCollection) {
  try {
    return checkFilter([parameter], schema, toCheckContext(ctx)).condition
  } catch (error) {
    // A part of a group may mean nothing without the others.
    if (error instanceof JsonApiError) return null
    throw error
  }
}
