import { sql } from 'kysely'
import type { ModelMeta } from '../../../model/meta.ts'
import type { Row } from '../../../model/where.ts'
import type { Stored } from '../../sql-database.ts'
import type { Catalog } from '../catalog.ts'
import type { SqlContext } from '../clauses/walk.ts'
import type { Sql } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import { rowReader } from './reading.ts'

/** Columns of the row that a statement has written, as RETURNING tells them. */
export const returned = (columns: readonly string[], model: ModelMeta, { catalog, dialect }: SqlContext): Sql =>
  sql.join(
    columns.map((name) => {
      const column = catalog.column(model, name)
      return dialect.selected(sql`${sql.id(column.column)}`, column, catalog.codec(column))
    }),
  )

/** The reading of such a row; null where a column holds what it should not. */
export function shownReader(
  columns: readonly string[],
  model: ModelMeta,
  catalog: Catalog,
): (stored: Stored) => Row | null {
  const read = rowReader({ columns }, model, catalog)
  return (stored) => {
    try {
      return read(stored)
    } catch (error) {
      if (error instanceof NotInSql) return null
      throw error
    }
  }
}
