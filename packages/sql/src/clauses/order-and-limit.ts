import { everything } from '@prismapi/jsonapi/condition/build'
import type { Compare, Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { sql } from 'kysely'
import { NotInSql } from '../dialects/codec.ts'
import { type Dialect, type Sql, slot } from '../dialects/dialect.ts'
import { conditionOf, type SqlContext, type Walk } from './conditions.ts'
import { columnSql, orderedOf, type SqlSource } from './sql-terms.ts'

/** The order's own part of a shape. */
export const orderShape = (order: readonly OrderTerm[]): string =>
  order.map(({ path, direction, nulls }) => `${path.join('.')} ${direction}${nulls ? ` ${nulls}` : ''}`).join()

/** What conditions have a part in of one key of an order. */
export interface OrderPart<Term> {
  /** Where its value is seen; null where it always is. */
  readonly seen: Term | null
  /** The number of rows that it is; null where it is a column. */
  readonly number: Term | null
}

/**
 * For each sort key: its visibility condition and its row count. The statement's
 * key and its SQL both call this, so both collect the same values.
 */
export const orderParts = <Source, Term>(
  order: readonly OrderTerm[],
  { source, model }: { readonly source: Source; readonly model: string },
  walk: Walk<Source, Term>,
): readonly OrderPart<Term>[] =>
  order.map(({ path, seen, search }) => {
    if (search) return { seen: null, number: rankOf(search, source, walk) }
    const column = columnAt(path, walk.catalog.model(model), walk)
    // How it has its instants is a part of the shape.
    if (column) walk.instantsIn(column)
    return {
      seen: seen ? conditionOf(seen.where, source, walk) : null,
      number:
        path.at(-1) === '_count' ? numberOf(path, { source, model, counted: seen?.counted ?? everything }, walk) : null,
    }
  })

/** The column that a path ends with. */
function columnAt(
  [step = '', ...steps]: OrderTerm['path'],
  model: ModelMeta,
  { catalog }: Pick<SqlContext, 'catalog'>,
): ColumnMeta | undefined {
  const relation = model.relations[step]
  return relation ? columnAt(steps, catalog.model(relation.model), { catalog }) : model.columns[step]
}

/** How well rows meet a search. */
function rankOf<Source, Term>({ value, words }: Compare, source: Source, walk: Walk<Source, Term>): Term {
  const { terms, dialect, values } = walk
  if (!words) throw new NotInSql('an order by a search')
  const slots = dialect.words.rankedBy(value as string, words).map((bound) => values.push(bound) - 1)
  return terms.rank(source, words, slots)
}

interface CountedRows<Source> {
  readonly source: Source
  readonly model: string
  /** Which rows count. */
  readonly counted: Condition
}

/** The number of rows behind the to-many relation that a path ends with. */
function numberOf<Source, Term>(
  path: OrderTerm['path'],
  { counted, ...at }: CountedRows<Source>,
  walk: Walk<Source, Term>,
): Term {
  const { catalog, terms } = walk
  const steps = path.slice(0, -1)
  let { source } = at
  let model = catalog.model(at.model)
  for (const [i, step] of steps.entries()) {
    const relation = model.relations[step]
    if (!relation || relation.isList !== (i === steps.length - 1)) break
    if (relation.isList) return terms.count(source, relation, (target) => conditionOf(counted, target, walk))
    source = terms.joined(source, relation)
    model = catalog.joinOf(relation).target
  }
  throw new NotInSql(`an order by ${path.join('.')}`)
}

/** Their own part of a shape. */
export const partsShape = (parts: readonly OrderPart<string>[]): string =>
  seenShape(parts.map(({ seen, number }) => (seen ?? '') + (number ?? '') || null))

/** Conditions under which values are seen, as a part of a shape. */
export const seenShape = (seen: readonly (string | null)[]): string =>
  seen.some((each) => each !== null) ? `[${seen.map((each) => each ?? '').join()}]` : ''

/** One term of ORDER BY. */
export interface OrderKey {
  readonly value: Sql
  /** What stands behind it. */
  readonly direction: Sql
}

/** The terms of ORDER BY, with the joins that their paths take. */
export function orderKeys(
  order: readonly OrderTerm[],
  level: { readonly source: SqlSource; readonly model: ModelMeta; readonly parts: readonly OrderPart<Sql>[] },
  walk: Walk<SqlSource, Sql>,
): readonly OrderKey[] {
  const { catalog, terms } = walk
  return order.map(({ path, direction, nulls }, i) => {
    const { seen = null, number = null } = level.parts[i] ?? {}
    const ending = direction === 'asc' ? sql` asc` : sql` desc`
    return {
      value: seenOnly(number ?? valueAt(path), seen),
      direction: nulls === undefined ? ending : sql`${ending} ${sql.raw(`nulls ${nulls}`)}`,
    }
  })

  function valueAt(path: OrderTerm['path']): Sql {
    let { source, model } = level
    for (const step of path.slice(0, -1)) {
      const relation = model.relations[step]
      if (!relation || relation.isList) throw new NotInSql(`an order by ${path.join('.')}`)
      source = terms.joined(source, relation)
      model = catalog.joinOf(relation).target
    }
    return orderedOf(source, catalog.column(model, path.at(-1) as string), walk)
  }
}

/** What the terms make of ORDER BY; null for no order. */
export const orderSql = (keys: readonly OrderKey[]): Sql | null =>
  keys.length === 0 ? null : sql.join(keys.map(({ value, direction }) => sql`${value}${direction}`))

/** A value that counts as null in rows for which the condition does not hold; null for no condition. */
export const seenOnly = (value: Sql, seen: Sql | null): Sql =>
  seen === null ? value : sql`case when ${seen} then ${value} end`

/** A LIMIT: a number that is part of the statement's text, or the slot of one, which is `most` at the most. */
export type Limit = { readonly number: number } | { readonly slot: number; readonly most: number }

export function limitOf(take: number, { dialect, values }: Pick<Walk<never, never>, 'dialect' | 'values'>): Limit {
  if (take <= dialect.maxLiteralLimit) return { number: take }
  return { slot: values.push(take) - 1, most: 2 ** Math.ceil(Math.log2(take)) }
}

/** The end of a list that may have none. */
export const mostOf = (most: number | undefined, walk: Pick<Walk<never, never>, 'dialect' | 'values'>): Limit | null =>
  most === undefined ? null : limitOf(most, walk)

export const limitShape = (limit: Limit): string => ('number' in limit ? `t${limit.number}` : `t<${limit.most}`)

/** The number itself. */
const limitNumber = (limit: Limit): Sql => ('number' in limit ? sql`${sql.lit(limit.number)}` : slot(limit.slot))

export interface Slice {
  /** Null for all rows. */
  readonly take: Limit | null
  /** The slot of the number of rows that are left out at the beginning; null for none. */
  readonly skip: number | null
}

/** A slice of a statement's rows. */
export function sliced(rows: Sql, { take, skip }: Slice, dialect: Dialect): Sql {
  if (take === null) {
    if (skip !== null) throw new NotInSql('rows that are skipped without an end')
    return rows
  }
  const offset = skip === null ? sql`` : sql` offset ${slot(skip)}`
  if ('number' in take) return sql`${rows} limit ${limitNumber(take)}${offset}`
  return dialect.limited(rows, { number: slot(take.slot), most: take.most, offset })
}

interface FirstOfEach {
  /** What is selected, from where. */
  readonly columns: readonly Sql[]
  readonly from: Sql
  readonly source: SqlSource
  /** The columns that tell the parents apart. */
  readonly by: readonly ColumnMeta[]
  readonly order: Sql | null
  readonly take: Limit
  /** For all parents together; null for no end. */
  readonly most: Limit | null
}

/** At most so many rows for each of several parents, in their order; the rows of the parents come mixed. */
export function firstOfEach({ columns, from, source, by, order, take, most }: FirstOfEach, dialect: Dialect): Sql {
  const named = columns.map((column, i) => sql`${column} as ${sql.id(`c${i}`)}`)
  const names = columns.map((_, i) => sql.id(`c${i}`))
  const partition = sql.join(by.map((column) => columnSql(source, column)))
  const place = sql`row_number() over (partition by ${partition}${order === null ? sql`` : sql` order by ${order}`})`
  const rows = sql`select ${sql.join(names)} from (select ${sql.join(named)}, ${place} as ${sql.id('n')} ${from}) as ${sql.id('ranked')} where ${sql.id('n')} <= ${limitNumber(take)} order by ${sql.id('n')}`
  return sliced(rows, { take: most, skip: null }, dialect)
}
