import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { sql } from 'kysely'
import { NotInSql } from '../codecs/codec.ts'
import { type Dialect, type Sql, slot } from '../dialects/dialect.ts'
import { columnOf, type SqlSide } from './sql-terms.ts'
import type { Walk } from './walk.ts'

/** A LIMIT: a number that is part of the statement's text, or the slot of one, which is `most` at the most. */
export type Limit = { readonly number: number } | { readonly slot: number; readonly most: number }

export function limitOf(take: number, { dialect, values }: Pick<Walk<never, never>, 'dialect' | 'values'>): Limit {
  if (take <= dialect.mostNamed) return { number: take }
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
  readonly side: SqlSide
  /** The columns that tell the parents apart. */
  readonly by: readonly ColumnMeta[]
  readonly order: Sql | null
  readonly take: Limit
  /** For all parents together; null for no end. */
  readonly most: Limit | null
}

/** At most so many rows for each of several parents, in their order; the rows of the parents come mixed. */
export function firstOfEach({ columns, from, side, by, order, take, most }: FirstOfEach, dialect: Dialect): Sql {
  const named = columns.map((column, i) => sql`${column} as ${sql.id(`c${i}`)}`)
  const names = columns.map((_, i) => sql.id(`c${i}`))
  const partition = sql.join(by.map((column) => columnOf(side, column)))
  const place = sql`row_number() over (partition by ${partition}${order === null ? sql`` : sql` order by ${order}`})`
  const rows = sql`select ${sql.join(names)} from (select ${sql.join(named)}, ${place} as ${sql.id('n')} ${from}) as ${sql.id('ranked')} where ${sql.id('n')} <= ${limitNumber(take)} order by ${sql.id('n')}`
  return sliced(rows, { take: most, skip: null }, dialect)
}
