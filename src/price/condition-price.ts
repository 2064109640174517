import { type Condition, type Json, type Related, type Visitor, visit } from '../condition/condition.ts'
import type { ModelMeta } from '../model/meta.ts'
import {
  type At,
  type ConditionPrice,
  charactersOfPoint,
  compared,
  noScans,
  row,
  type Scan,
  scanOf,
} from './column-price.ts'
import type { Sizes } from './sizes.ts'

export const conditionPrice = (condition: Condition, at: At): ConditionPrice => visit(condition, visitor, at)

/** The rows that are looked at, with all that is looked at for them. */
export function pointsOf(price: ConditionPrice, table: number): { readonly points: number; readonly searched: number } {
  const rows = Math.min(price.rows ?? table, table)
  return { points: rows * price.each + price.once, searched: price.searched + (price.isSearch ? rows : 0) }
}

const visitor: Visitor<ConditionPrice, At> = {
  all: ({ conditions }, at) => joined(conditions, at, every),
  any: ({ conditions }, at) => joined(conditions, at, some),
  not: ({ condition }, at) => ({ ...conditionPrice(condition, at), rows: null, share: 1 }),
  compare: compared,
  json: jsonPrice,
  related: relatedPrice,
  absent: () => row,
  constant: ({ holds }) => (holds ? row : { ...row, rows: 0 }),
}

/** It is read from its beginning to where the path leads. */
function jsonPrice({ column }: Json, { model, sizes }: At): ConditionPrice {
  const each = parsing * Math.ceil(sizes.characters(model, column) / charactersOfPoint)
  return { ...row, each, isSearch: true, scans: [scanOf(model, column, true)] }
}

/** To read Json takes as long as to search a text that is so many times as long. */
const parsing = 10

// Each request asks for this, as a rule of a few conditions: one walk, and no functions on the way.
function joined(conditions: readonly Condition[], at: At, { rowsOf, shareOf, share: none }: Joining): ConditionPrice {
  const prices = conditions.map((condition) => conditionPrice(condition, at))
  let rows: number | null = null
  let share = none
  let each = 1
  let once = 0
  let searched = 0
  let isSearch = false
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] as ConditionPrice
    rows = i === 0 ? price.rows : rowsOf(rows, price.rows)
    share = shareOf(share, price.share)
    each += price.each - 1
    once += price.once
    searched += price.searched
    isSearch ||= price.isSearch
  }
  return { rows, each, once, share, searched, isSearch, scans: scansOf(prices, rows) }
}

/** An index on one of the columns is enough. */
function scansOf(prices: readonly ConditionPrice[], rows: number | null): readonly Scan[] {
  let scans = noScans
  for (const price of prices) {
    if (price.scans.length === 0 || (rows !== null && price.once === 0)) continue
    scans = scans.length === 0 ? price.scans : [...scans, ...price.scans]
  }
  return scans
}

interface Joining {
  readonly rowsOf: (a: number | null, b: number | null) => number | null
  readonly shareOf: (a: number, b: number) => number
  /** That of no condition. */
  readonly share: number
}

const every: Joining = {
  rowsOf: (a, b) => (a === null || b === null ? (a ?? b) : Math.min(a, b)),
  shareOf: (a, b) => a * b,
  share: 1,
}
const some: Joining = {
  rowsOf: (a, b) => (a === null || b === null ? null : a + b),
  shareOf: (a, b) => Math.min(1, a + b),
  share: 0,
}

/** The row of a to-one relation is joined; those of a to-many one are looked for once, by the condition on them. */
function relatedPrice({ relation, quantifier, condition }: Related, { model, sizes }: At): ConditionPrice {
  const target = sizes.models[relation.model] as ModelMeta
  const behind = conditionPrice(condition, { model: target, sizes })
  if (quantifier === 'is') return { ...behind, rows: null, each: 1 + behind.each }
  if (condition.kind === 'constant') return { ...row, each: 2 }
  const table = sizes.rows(target)
  const { points, searched } = pointsOf(behind, table)
  const met = Math.min(behind.rows ?? table, table)
  // Each of them is put aside for the rows of this side to be looked up in, and those of a join table have a link that leads back.
  const most = relation.join ? mostLinks(relation, target, sizes) : 0
  const once = points + (met * (relation.join ? 2 : 1) + most) * putAside
  const back = relation.join ? met * backwards(model, target, sizes) + most : met
  const rows = quantifier === 'some' && behind.rows !== null ? back : null
  const share = quantifier === 'some' ? Math.min(1, behind.share * sizes.fanOut(model, relation)) : 1
  return { ...row, rows, once, share, searched, scans: behind.scans }
}

/** To put a row aside takes as long as to look at so many. */
const putAside = 2

/** Rows of this side for one of the other. */
const backwards = (model: ModelMeta, target: ModelMeta, sizes: Sizes): number =>
  Math.max(1, sizes.rows(model) / sizes.rows(target))

/** The links of the row of the other side that has most of them. */
function mostLinks({ inverse }: Related['relation'], target: ModelMeta, sizes: Sizes): number {
  const back = target.relations[inverse ?? '']
  return back ? sizes.most(target, back) : 0
}
