import { type Compare, type Condition, type Related, type Visitor, visit } from '../condition/condition.ts'
import type { ColumnMeta, ModelMeta } from '../model/meta.ts'
import type { Sizes } from './sizes.ts'

/** What it costs to find the rows that meet a condition. A point is a row that is looked at. */
export interface ConditionPrice {
  /** The rows that an index leads to; null where all of the table have to be looked at. */
  readonly rows: number | null
  /** What looking at one of them costs. */
  readonly each: number
  /** What is looked for in other tables: once, and not once for each row. */
  readonly once: number
  /** How many rows of other tables have their texts searched. */
  readonly searched: number
  /** The part of the table that is expected to meet it: for what is shown, never for what is looked at. */
  readonly share: number
  /** Are texts of each row searched. */
  readonly isSearch: boolean
  /** The comparisons without an index that make tables be looked at whole. */
  readonly scans: readonly Scan[]
}

/** A table that is looked at whole, for want of an index of this column. */
export interface Scan {
  readonly model: string
  readonly column: string
  /** No index helps. */
  readonly isSearch: boolean
}

interface At {
  readonly model: ModelMeta
  readonly sizes: Sizes
}

const noScans: readonly Scan[] = []
const row: ConditionPrice = { rows: null, each: 1, once: 0, share: 1, searched: 0, isSearch: false, scans: noScans }

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
  json: ({ column }, { model }) => ({ ...row, each: longText, isSearch: true, scans: [scanOf(model, column, true)] }),
  related: relatedPrice,
  absent: () => row,
  constant: ({ holds }) => (holds ? row : { ...row, rows: 0 }),
}

/** What a text without an end counts as. */
const longText = 10

function joined(conditions: readonly Condition[], at: At, { rowsOf, shareOf }: Joining): ConditionPrice {
  const prices = conditions.map((condition) => conditionPrice(condition, at))
  const total = (of: (price: ConditionPrice) => number) => prices.reduce((all, price) => all + of(price), 0)
  const rows = rowsOf(prices.map((price) => price.rows))
  return {
    rows,
    share: shareOf(prices.map(({ share }) => share)),
    each: 1 + total(({ each }) => each - 1),
    once: total(({ once }) => once),
    searched: total(({ searched }) => searched),
    isSearch: prices.some(({ isSearch }) => isSearch),
    // An index on one of the columns is enough.
    scans: prices.flatMap((price) => (rows === null || price.once > 0 ? price.scans : [])),
  }
}

function least(rows: readonly (number | null)[]): number | null {
  const known = rows.filter((each) => each !== null)
  return known.length === 0 ? null : Math.min(...known)
}

function sum(rows: readonly (number | null)[]): number | null {
  return rows.reduce<number | null>((all, each) => (all === null || each === null ? null : all + each), 0)
}

interface Joining {
  readonly rowsOf: (rows: readonly (number | null)[]) => number | null
  readonly shareOf: (shares: readonly number[]) => number
}

const every: Joining = { rowsOf: least, shareOf: (shares) => shares.reduce((all, each) => all * each, 1) }
const some: Joining = {
  rowsOf: sum,
  shareOf: (shares) =>
    Math.min(
      1,
      shares.reduce((all, each) => all + each, 0),
    ),
}

const searches: ReadonlySet<Compare['operator']> = new Set(['contains', 'startsWith', 'endsWith', 'search'])
const charactersOfPoint = 1000
const searchedOfPoint = 50

function compared({ column, operator, value, mode }: Compare, { model, sizes }: At): ConditionPrice {
  if (searches.has(operator) || (mode === 'insensitive' && operator === 'equals')) {
    const length = typeof value === 'string' ? value.length : 0
    const held = Math.ceil(sizes.characters(model, column) / charactersOfPoint)
    const each = Math.max(1, held) * Math.max(1, Math.ceil(length / searchedOfPoint))
    return { ...row, each, share: 0.1, isSearch: true, scans: [scanOf(model, column, true)] }
  }
  const values = valuesOf(operator, value)
  const table = sizes.rows(model)
  const share = Math.min(1, values === null ? 0.5 : values / 100)
  if (values !== null && isUnique(model, column)) return { ...row, rows: values, share: Math.min(1, values / table) }
  const isIndexed = hasIndex(model, column)
  if (values !== null && isIndexed) {
    const rows = values * sizes.rowsOf(model, column)
    return { ...row, rows, share: Math.min(1, rows / table) }
  }
  if (isIndexed && ranges.has(operator)) return { ...row, rows: table / narrowed, share: 1 / narrowed }
  return { ...row, share, scans: isIndexed ? noScans : [scanOf(model, column, false)] }
}

const ranges: ReadonlySet<Compare['operator']> = new Set(['lt', 'lte', 'gt', 'gte'])
/** A range of an index is expected to be such a part of it. */
const narrowed = 10

/** How many values an index is asked for; null where it is none that it can be asked for. */
function valuesOf(operator: Compare['operator'], value: unknown): number | null {
  if (operator === 'equals') return value === null ? null : 1
  return operator === 'in' && Array.isArray(value) ? value.length : null
}

const isUnique = ({ uniques }: ModelMeta, { name }: ColumnMeta): boolean =>
  uniques.some((columns) => columns.length === 1 && columns[0] === name)

export const hasIndex = ({ indexes }: ModelMeta, { name }: Pick<ColumnMeta, 'name'>): boolean =>
  indexes.some(([first]) => first === name)

const scanOf = ({ name }: ModelMeta, column: ColumnMeta, isSearch: boolean): Scan => ({
  model: name,
  column: column.name,
  isSearch,
})

/** The row of a to-one relation is joined; those of a to-many one are looked for once, by the condition on them. */
function relatedPrice({ relation, quantifier, condition }: Related, { model, sizes }: At): ConditionPrice {
  const target = sizes.models[relation.model] as ModelMeta
  const behind = conditionPrice(condition, { model: target, sizes })
  if (quantifier === 'is') return { ...behind, rows: null, each: 1 + behind.each }
  if (condition.kind === 'constant') return { ...row, each: 2 }
  const table = sizes.rows(target)
  const { points, searched } = pointsOf(behind, table)
  const met = Math.min(behind.rows ?? table, table)
  // Each of them has a link that leads back.
  const once = relation.join ? points + met : points
  const rows =
    quantifier === 'some' && behind.rows !== null ? met * (relation.join ? backwards(model, target, sizes) : 1) : null
  const share = quantifier === 'some' ? Math.min(1, behind.share * sizes.fanOut(model, relation)) : 1
  return { ...row, rows, once, share, searched, scans: behind.scans }
}

/** Rows of this side for one of the other. */
const backwards = (model: ModelMeta, target: ModelMeta, sizes: Sizes): number =>
  Math.max(1, sizes.rows(model) / sizes.rows(target))
