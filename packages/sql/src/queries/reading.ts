import type { Level } from '@prismapi/core/database/reader'
import type { Stored } from '@prismapi/core/database/sql-database'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { sql } from 'kysely'
import type { Catalog } from '../catalog.ts'
import { columnSql, type SqlSource } from '../clauses/sql-terms.ts'
import type { SqlContext } from '../clauses/terms.ts'
import { NotInSql } from '../codecs/codec.ts'
import type { Sql } from '../dialects/dialect.ts'

/** A column as it is selected. */
export const selected = (source: SqlSource, column: ColumnMeta, { catalog, dialect }: SqlContext): Sql =>
  dialect.selected(columnSql(source, column), column, catalog.codec(column))

/** The columns' part of a shape. Most lists of columns are made once, for all requests. */
export function columnsShape({ columns, shown = none }: Shown): string {
  const kept = shapes.get(columns)
  if (kept?.shown === shown) return kept.shape
  const shape = `(${columns.map((name) => (shown.has(name) ? `${name}'` : name)).join()})`
  shapes.set(columns, { shown, shape })
  return shape
}

type Shown = Pick<Level, 'columns' | 'shown'>

const none: ReadonlySet<string> = new Set()
const shapes = new WeakMap<readonly string[], { readonly shown: ReadonlySet<string>; readonly shape: string }>()

/** The reading of one value; a stored NULL is null. */
export function valueReader(
  column: ColumnMeta,
  { catalog }: Pick<SqlContext, 'catalog'>,
  isShown = false,
): (stored: unknown) => unknown {
  const { read, show } = catalog.codec(column)
  const convert = isShown && show ? show : read
  return (stored) => (stored === null ? null : convert(stored))
}

/** The reading of rows whose first columns are these, in this order. */
export function rowReader(
  { columns: names, shown = none }: Shown,
  model: ModelMeta,
  catalog: Catalog,
): (stored: Stored) => Row {
  const reads = names.map((name) => valueReader(catalog.column(model, name), { catalog }, shown.has(name)))
  const { length } = names
  return (stored) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < length; i++) row[names[i] as string] = (reads[i] as (stored: unknown) => unknown)(stored[i])
    return row
  }
}

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
