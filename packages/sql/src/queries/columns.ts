import type { Level } from '@prismapi/core/database/reader'
import type { Stored } from '@prismapi/core/database/sql-database'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { nullIn } from '@prismapi/jsonapi/model/prisma-values'
import type { Row } from '@prismapi/jsonapi/model/where'
import { sql } from 'kysely'
import type { Catalog } from '../catalog.ts'
import type { SqlContext, Walk } from '../clauses/conditions.ts'
import { columnSql, type SqlSource } from '../clauses/sql-terms.ts'
import { NotInSql } from '../dialects/codec.ts'
import type { Sql } from '../dialects/dialect.ts'
import { generatedId } from './new-ids.ts'

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

/** A column and the slot of its value. */
export type Written = readonly [column: ColumnMeta, slot: number]

/** The columns of a new row: those that are given, and those that Prisma Client would fill by itself. */
export const insertedColumns = <Source, Term>(
  model: ModelMeta,
  data: Row,
  walk: Walk<Source, Term>,
): readonly Written[] => writtenColumns(model, data, walk, givenOnCreate)

/** The columns that a change sets, and those that each change does. @throws {NotInSql} where that is nothing. */
export function changedColumns<Source, Term>(
  model: ModelMeta,
  data: Row,
  walk: Walk<Source, Term>,
): readonly Written[] {
  checkUnreferenced(model, data, walk.catalog)
  if (Object.values(data).every((value) => value === undefined)) throw new NotInSql('a change of no column')
  return writtenColumns(model, data, walk, givenOnUpdate)
}

// Where Prisma looks after relations in place of the database, it also changes the rows that name this one.
function checkUnreferenced(model: ModelMeta, data: Row, catalog: Catalog): void {
  for (const relation of Object.values(model.relations)) {
    if (relation.foreignKey) continue
    const { pairs } = catalog.joinOf(relation)
    for (const [{ name }] of pairs) if (name in data) throw new NotInSql(`${model.name}.${name}, which others name`)
  }
}

type Given = (column: ColumnMeta, now: Date) => unknown

function writtenColumns<Source, Term>(
  model: ModelMeta,
  data: Row,
  walk: Walk<Source, Term>,
  given: Given,
): readonly Written[] {
  for (const name in data) walk.catalog.column(model, name)
  const now = new Date()
  const written: Written[] = []
  for (const name in model.columns) {
    const column = walk.catalog.column(model, name)
    const value = data[name] === undefined ? given(column, now) : data[name]
    if (value !== undefined) written.push([column, valueSlot(column, value, walk)])
  }
  return written
}

function valueSlot<Source, Term>(column: ColumnMeta, value: unknown, walk: Walk<Source, Term>): number {
  const { bind, write = bind } = walk.catalog.codec(column)
  // A Json column has two kinds of null, and Prisma wants to be told which.
  const isJson = column.type === 'Json' && !column.isList
  if (isJson ? nullIn(value) !== 'DbNull' : value !== null) return walk.values.push(write(value)) - 1
  if (!column.isNullable) throw new NotInSql(`null for ${column.name}`)
  return walk.values.push(null) - 1
}

const givenOnUpdate: Given = ({ isUpdatedAt }, now) => (isUpdatedAt ? now : undefined)

/** Undefined where the database fills the column. */
function givenOnCreate(column: ColumnMeta, now: Date) {
  const { name, isList, isNullable, isUpdatedAt, default: made, defaultValue } = column
  if (isList) return listGiven(name, made)
  switch (made) {
    case 'value':
      return literal(name, defaultValue)
    case 'now':
      return now
    case 'uuid':
    case 'cuid':
    case 'ulid':
    case 'nanoid':
      return generatedId(column, now)
    case 'autoincrement':
    case 'dbgenerated':
    case 'sequence':
      return undefined
    case null:
      if (isUpdatedAt) return now
      if (isNullable) return undefined
      throw new NotInSql(`nothing for ${name}`)
    default:
      throw new NotInSql(`the default of ${name}`)
  }
}

/** A list without a value would be NULL in the database, where it is shown as an empty one. */
function listGiven(name: string, made: string | null): readonly unknown[] {
  if (made !== null) throw new NotInSql(`the default of ${name}`)
  return []
}

function literal(name: string, value: ColumnMeta['defaultValue']) {
  if (value === undefined) throw new NotInSql(`the default of ${name}`)
  return value
}
