import { sql } from 'kysely'
import type { ColumnMeta } from '../../../model/meta.ts'
import type { Dialect, Sql } from '../dialects/dialect.ts'
import { type Limit, limitNumber, sliced } from './limit.ts'
import { columnOf, type SqlSide } from './sql-terms.ts'

export interface FirstOfEach {
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
