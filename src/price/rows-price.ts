import { everything } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { OrderTerm } from '../condition/order-term.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { AskedRows } from '../pagination/paginator.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { hasIndex, ranges, type Scan } from './column-price.ts'
import { conditionPrice, pointsOf } from './condition-price.ts'
import type { Price } from './price.ts'
import type { Sizes } from './sizes.ts'

export interface PricedCollection {
  readonly schema: ResourceSchema
  readonly where: Condition
  readonly order: readonly OrderTerm[]
  /** All of its rows are looked at, for figures of them. */
  readonly isWhole?: boolean
  /** As often more is each of them looked at, for the group that it belongs to. */
  readonly grouped?: number
}

/** The price of the rows of a collection alone. */
export function priceOfRows(
  { schema, where: condition, order, isWhole = false, grouped = 0 }: PricedCollection,
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

/** Does the condition say from where to where the index of the order is read: then each row that is looked at meets it. */
function isPartOf(condition: Condition, first: OrderTerm | undefined): boolean {
  if (condition.kind === 'all') return condition.conditions.every((each) => isPartOf(each, first))
  return condition.kind === 'compare' && ranges.has(condition.operator) && condition.column.name === first?.path[0]
}

/** Rows that are counted, and not read, count as one. */
const countedOfPoint = 100

const isOrdered = ([first]: readonly OrderTerm[], { model }: ResourceSchema): boolean =>
  first === undefined ||
  (first.path.length === 1 && !first.seen && !first.nulls && hasIndex(model, { name: first.path[0] as string }))

const orderScan = ([first]: readonly OrderTerm[], { model }: ResourceSchema): readonly Scan[] =>
  first?.path.length === 1 ? [{ model: model.name, column: first.path[0] as string, isSearch: false }] : []
