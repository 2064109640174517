import type { RowsPlan } from '@prismapi/core/database/reader'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { sql } from 'kysely'
import type { SqlContext, Walk } from '../clauses/conditions.ts'
import { type OrderKey, type Slice, sliced } from '../clauses/order-and-limit.ts'
import { columnSql, type SqlSource, tableOf } from '../clauses/sql-terms.ts'
import type { Sql } from '../dialects/dialect.ts'

export interface SortedRows {
  readonly columns: readonly Sql[]
  /** From where, with the condition. */
  readonly from: Sql
  readonly keys: readonly OrderKey[]
  readonly source: SqlSource
  readonly model: ModelMeta
  readonly slice: Slice
}

/**
 * The keys of a page are sorted first, and its rows are read then. Sixty rows with a megabyte
 * each took 0.9 seconds to sort with their texts, for a page of fifteen, and take 0.03 without.
 */
export function sortedByKeys(
  { columns, from, keys, source, model, slice }: SortedRows,
  walk: Walk<SqlSource, Sql>,
): Sql {
  const own = model.key.map((name) => columnSql(source, walk.catalog.column(model, name)))
  const id = (i: number) => sql.id('page', `k${i}`)
  const place = (i: number) => sql.id('page', `o${i}`)
  const selected = [
    ...own.map((column, i) => sql`${column} as ${sql.id(`k${i}`)}`),
    ...keys.map(({ value }, i) => sql`${value} as ${sql.id(`o${i}`)}`),
  ]
  const order = sql.join(keys.map(({ value, direction }) => sql`${value}${direction}`))
  const page = sliced(sql`select ${sql.join(selected)} ${from} order by ${order}`, slice, walk.dialect)
  const on = sql.join(
    own.map((column, i) => sql`${column} = ${id(i)}`),
    sql` and `,
  )
  const again = sql.join(keys.map(({ direction }, i) => sql`${place(i)}${direction}`))
  return sql`select ${sql.join(columns)} from (${page}) as ${sql.id('page')} cross join ${tableOf(model, walk.catalog)} as ${sql.id(source.alias)} on ${on} order by ${again}`
}

/** Is the page sorted, and are its rows longer than what they are sorted by. */
export function isWorthKeys(plan: RowsPlan, model: ModelMeta, context: SqlContext): boolean {
  const { columns, order, take } = plan
  const [first] = order
  if (!first || take === null || model.key.length === 0) return false
  const isLong = (name: string) => !model.key.includes(name) && isEndless(model.columns[name])
  if (!columns.some(isLong)) return false
  return isSearched(plan.where) || !(isServed(plan, model) && areTextsOrdered(first, model, context))
}

/** Are rows found by their words: then no other index has them in its order. */
const isSearched = (condition: Condition): boolean =>
  condition.kind === 'all'
    ? condition.conditions.some(isSearched)
    : condition.kind === 'compare' && condition.words !== undefined

/** Are they in the order of their texts, as an index has them. */
const areTextsOrdered = ({ path: [name] }: OrderTerm, { columns }: ModelMeta, { instantsIn }: SqlContext): boolean => {
  const column = columns[name as string]
  return !column || ['usual', 'zulu'].includes(instantsIn(column))
}

const isEndless = (column: ColumnMeta | undefined): boolean =>
  column !== undefined && (column.isList || ['String', 'Json', 'Bytes'].includes(column.type))

/**
 * Whether an index returns the rows sorted: every column before the sort column has one
 * fixed value. If an index starts with a fixed column, only such indexes count.
 */
export function isServed({ order: [first], where }: RowsPlan, { indexes }: ModelMeta): boolean {
  const [name, ...steps] = first?.path ?? []
  if (name === undefined || steps.length > 0) return false
  const compared = comparedIn(where)
  const narrowing = indexes.filter(([begin]) => begin !== undefined && compared.has(begin))
  const isOrdered = (index: readonly string[]) => index.find((column) => !compared.has(column)) === name
  return (narrowing.length > 0 ? narrowing : indexes).some(isOrdered)
}

/** The columns that have one value each in all rows that meet the condition. */
function comparedIn(condition: Condition): ReadonlySet<string> {
  if (condition.kind === 'all') return new Set(condition.conditions.flatMap((each) => [...comparedIn(each)]))
  return new Set(condition.kind === 'compare' && condition.operator === 'equals' ? [condition.column.name] : [])
}
