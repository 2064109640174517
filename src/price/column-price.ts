import type { Compare } from '../condition/condition.ts'
import { memo } from '../model/memo.ts'
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
  /** The part of the table that is expected to meet it: for what is shown, and where a count ends; never for what a page looks at. */
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

/** Whose columns and relations a condition is about. */
export interface At {
  readonly model: ModelMeta
  readonly sizes: Sizes
}

export const noScans: readonly Scan[] = []
/** A row that is looked at. */
export const row: ConditionPrice = {
  rows: null,
  each: 1,
  once: 0,
  share: 1,
  searched: 0,
  isSearch: false,
  scans: noScans,
}

const searches: ReadonlySet<Compare['operator']> = new Set(['contains', 'startsWith', 'endsWith', 'search'])
export const charactersOfPoint = 1000
const searchedOfPoint = 50
/** Of texts that hold some letters, so many are expected to hold one more. */
const foundByLetter = 0.7

/** What it costs to compare a column with a value. */
export function compared({ column, operator, value, mode }: Compare, { model, sizes }: At): ConditionPrice {
  const facts = factsOf(model, column)
  if (searches.has(operator) || (mode === 'insensitive' && operator === 'equals')) {
    const length = typeof value === 'string' ? value.length : 0
    const held = Math.ceil(sizes.characters(model, column) / charactersOfPoint)
    const each = Math.max(1, held) * Math.max(1, Math.ceil(length / searchedOfPoint))
    return { ...row, each, share: foundByLetter ** length, isSearch: true, scans: facts.search }
  }
  const values = valuesOf(operator, value)
  if (!facts.hasIndex) {
    if (values === null) return facts.compared
    return { ...facts.compared, share: Math.min(1, values / facts.differentValues) }
  }
  const table = sizes.rows(model)
  if (values !== null) {
    const rows = facts.isUnique ? values : sizes.rowsOf(model, column, values)
    return { ...row, rows, share: Math.min(1, rows / table) }
  }
  return ranges.has(operator) ? { ...half, rows: table * half.share } : half
}

/** Operators that an index answers from one place of it to another. */
export const ranges: ReadonlySet<Compare['operator']> = new Set(['lt', 'lte', 'gt', 'gte'])
/** What is compared otherwise than by equality is expected to leave half of a table. */
const half: ConditionPrice = { ...row, share: 0.5 }

/** How many values an index is asked for; null where it is none that it can be asked for. */
function valuesOf(operator: Compare['operator'], value: unknown): number | null {
  if (operator === 'equals') return value === null ? null : 1
  return operator === 'in' && Array.isArray(value) ? value.length : null
}

/** What a column's prices are made of, whatever it is compared with. */
interface ColumnFacts {
  readonly hasIndex: boolean
  readonly isUnique: boolean
  /** How many values it is expected to have. */
  readonly differentValues: number
  readonly search: readonly Scan[]
  /** Of a column without an index, compared with no value in particular. */
  readonly compared: ConditionPrice
}

const factsOf = (model: ModelMeta, column: ColumnMeta): ColumnFacts =>
  factsByColumn(model).get(column) ?? makeFacts(model, column)

const factsByColumn = memo(
  (model: ModelMeta) => new Map(Object.values(model.columns).map((column) => [column, makeFacts(model, column)])),
)

const makeFacts = (model: ModelMeta, column: ColumnMeta): ColumnFacts => ({
  hasIndex: hasIndex(model, column),
  isUnique: model.uniques.some((columns) => columns.length === 1 && columns[0] === column.name),
  differentValues: differentValues(column),
  search: [scanOf(model, column, true)],
  compared: { ...half, scans: [scanOf(model, column, false)] },
})

function differentValues({ type }: ColumnMeta): number {
  if (type === 'Boolean') return 2
  return type === 'String' || type === 'DateTime' ? 1000 : 20
}

export const hasIndex = ({ indexes }: ModelMeta, { name }: Pick<ColumnMeta, 'name'>): boolean =>
  indexes.some(([first]) => first === name)

export const scanOf = ({ name }: ModelMeta, column: ColumnMeta, isSearch: boolean): Scan => ({
  model: name,
  column: column.name,
  isSearch,
})
