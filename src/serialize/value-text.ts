import type { Row } from '../model/where.ts'
import type { Attribute, AttributeKind } from '../schema/resource-schema.ts'

/** Writes the value of one attribute of a row as JSON. */
export function valueWriter({ kind, isList, isConverted, column, serialize }: Attribute): (row: Row) => string {
  const write = isConverted || isList || !column ? undefined : writers[kind]
  if (!write) return (row) => valueText(serialize(row))
  const { name } = column as { name: string }
  return (row) => {
    const value = row[name]
    return value === null || value === undefined ? 'null' : write(value, row, serialize)
  }
}

type Write = (value: unknown, row: Row, serialize: Attribute['serialize']) => string

/** The kinds whose JSON is shorter to write than by way of `JSON.stringify`. */
const writers: Partial<Record<AttributeKind, Write>> = {
  integer: (value) => `${value}`,
  boolean: (value) => (value ? 'true' : 'false'),
  // Nothing in a date has to be escaped; one that is there as a text was read to be shown.
  datetime: (value, row, serialize) => (typeof value === 'string' ? `"${value}"` : valueText(serialize(row))),
  string: (value) => JSON.stringify(value),
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return typeof value === 'number' && Number.isFinite(value) ? `${value}` : (JSON.stringify(value) ?? 'null')
}
