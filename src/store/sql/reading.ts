import type { ColumnMeta, ModelMeta } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'
import type { Catalog } from './catalog.ts'
import type { Stored } from './database.ts'
import type { Dialect, Sql } from './dialect.ts'
import { columnOf, type SqlSide } from './sql-terms.ts'

type Place = Pick<{ catalog: Catalog; dialect: Dialect }, 'catalog' | 'dialect'>

/** A column as it is selected. */
export const selected = (side: SqlSide, column: ColumnMeta, { catalog, dialect }: Place): Sql =>
  dialect.selected(columnOf(side, column), column, catalog.codec(column))

/** The reading of one value; a stored NULL is null. */
export function valueReader(column: ColumnMeta, { catalog }: Pick<Place, 'catalog'>): (stored: unknown) => unknown {
  const { read } = catalog.codec(column)
  return (stored) => (stored === null ? null : read(stored))
}

/** The reading of rows whose first columns are these, in this order. */
export function rowReader(names: readonly string[], model: ModelMeta, catalog: Catalog): (stored: Stored) => Row {
  const reads = names.map((name) => valueReader(catalog.column(model, name), { catalog }))
  const { length } = names
  return (stored) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < length; i++) row[names[i] as string] = (reads[i] as (stored: unknown) => unknown)(stored[i])
    return row
  }
}
