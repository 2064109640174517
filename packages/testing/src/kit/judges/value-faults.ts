import type { Attribute, AttributeKind } from '@prismapi/jsonapi/schema/resource-schema'

const types: Partial<Record<AttributeKind, 'string' | 'number' | 'boolean'>> = {
  string: 'string',
  enum: 'string',
  bytes: 'string',
  bigint: 'string',
  decimal: 'string',
  datetime: 'string',
  date: 'string',
  time: 'string',
  integer: 'number',
  float: 'number',
  boolean: 'boolean',
}

/** Some numbers and instants of databases have no name in JSON. */
const maybeNull: ReadonlySet<AttributeKind> = new Set(['float', 'decimal', 'datetime', 'date', 'time'])

/** Is the value of an attribute one of its column; of others it is not known. */
export function valueFault(
  { kind, column, isConverted, isList, isNullable }: Attribute,
  value: unknown,
): string | null {
  const type = types[kind]
  if (!column || isConverted || !type) return null
  if (isList) return Array.isArray(value) ? null : `is ${JSON.stringify(value)}, and no list`
  if (value !== null) return typeof value === type ? null : `is ${JSON.stringify(value)}, and no ${type}`
  return isNullable || maybeNull.has(kind) ? null : 'is null, and its column never is'
}
