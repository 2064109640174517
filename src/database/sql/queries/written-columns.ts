import { randomUUID } from 'node:crypto'
import type { ColumnMeta, ModelMeta } from '../../../model/meta.ts'
import type { Row } from '../../../model/where.ts'
import { slotFor, type Walk } from '../clauses/walk.ts'
import { NotInSql } from '../not-in-sql.ts'

/** A column and the slot of its value. */
export type Written = readonly [column: ColumnMeta, slot: number]

/** The columns of a new row: those that are given, and those that Prisma Client would fill by itself. */
export const insertedColumns = <Side, Term>(model: ModelMeta, data: Row, walk: Walk<Side, Term>): readonly Written[] =>
  writtenColumns(model, data, walk, givenOnCreate)

/** The columns that a change sets. @throws {NotInSql} where that is nothing. */
export function updatedColumns<Side, Term>(model: ModelMeta, data: Row, walk: Walk<Side, Term>): readonly Written[] {
  if (Object.values(data).every((value) => value === undefined)) throw new NotInSql('a change of no column')
  return writtenColumns(model, data, walk, givenOnUpdate)
}

type Given = (column: ColumnMeta, now: Date) => unknown

function writtenColumns<Side, Term>(
  model: ModelMeta,
  data: Row,
  walk: Walk<Side, Term>,
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

function valueSlot<Side, Term>(column: ColumnMeta, value: unknown, walk: Walk<Side, Term>): number {
  // Prisma has two kinds of null there, and ways of its own to write what is not.
  if (column.type === 'Json') throw new NotInSql(`the JSON of ${column.name}`)
  if (value !== null) return slotFor(column, value, walk)
  if (!column.isNullable) throw new NotInSql(`null for ${column.name}`)
  return walk.values.push(null) - 1
}

const givenOnUpdate: Given = ({ isUpdatedAt }, now) => (isUpdatedAt ? now : undefined)

/** Undefined where the database fills the column. */
function givenOnCreate({ name, isList, isNullable, isUpdatedAt, default: made, defaultValue }: ColumnMeta, now: Date) {
  if (isList) throw new NotInSql(`the list ${name}`)
  switch (made) {
    case 'value':
      return literal(name, defaultValue)
    case 'now':
      return now
    case 'uuid':
      if (defaultValue === undefined || defaultValue === 4) return randomUUID()
      throw new NotInSql(`the id of ${name}`)
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

function literal(name: string, value: ColumnMeta['defaultValue']) {
  if (value === undefined) throw new NotInSql(`the default of ${name}`)
  return value
}
