import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { nullIn } from '@prismapi/jsonapi/model/prisma-values'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Walk } from '../clauses/terms.ts'
import { NotInSql } from '../codecs/codec.ts'
import { generatedId } from './new-ids.ts'

/** A column and the slot of its value. */
export type Written = readonly [column: ColumnMeta, slot: number]

/** The columns of a new row: those that are given, and those that Prisma Client would fill by itself. */
export const insertedColumns = <Source, Term>(
  model: ModelMeta,
  data: Row,
  walk: Walk<Source, Term>,
): readonly Written[] => writtenColumns(model, data, walk, givenOnCreate)

/** The columns that a change sets. @throws {NotInSql} where that is nothing. */
export function updatedColumns<Source, Term>(
  model: ModelMeta,
  data: Row,
  walk: Walk<Source, Term>,
): readonly Written[] {
  if (Object.values(data).every((value) => value === undefined)) throw new NotInSql('a change of no column')
  return writtenColumns(model, data, walk, givenOnUpdate)
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
