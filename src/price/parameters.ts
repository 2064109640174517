import { everything } from '../condition/build.ts'
import { JsonApiError } from '../document/error.ts'
import type { AskedRows } from '../pagination/paginator.ts'
import { toCheckContext } from '../query/check-context.ts'
import { checkFilter } from '../query/filter.ts'
import { type Parameter, wellFormedParameters } from '../query/parameters.ts'
import type { Query } from '../query/query.ts'
import type { QueryContext } from '../query/query-context.ts'
import type { PricedParameter } from '../request/observer.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Scan } from './column-price.ts'
import { noPrice, type Paged, type Price, type PriceContext, priceOfShown, sizesFor } from './price.ts'
import { type PricedCollection, priceOfRows } from './rows-price.ts'

export type AskedContext = PriceContext & QueryContext

export type PricedQuery = Pick<Query, 'include' | 'collections' | 'counts'> & Paged

/** What is priced: a collection, or one resource of the types. */
export interface Subject {
  readonly schemas: readonly ResourceSchema[]
  readonly query: PricedQuery
  /** Null where no collection is read. */
  readonly plan: PricedCollection | null
  /** How many resources are shown at the most. */
  readonly parents: number
}

/** What a parameter costs, and what makes it dear. */
export interface ParameterPrice extends PricedParameter {
  readonly scans: readonly Scan[]
}

/** The price of each parameter alone, the dearest first. It takes its time: for who asks, and for requests that are refused. */
export function parameterPrices(ctx: AskedContext, subject: Subject): readonly ParameterPrice[] {
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
