import { DbNull } from '@prisma/client/runtime/client'
import type { ColumnMeta } from '../model/meta.ts'
import { isDate, isDateTime, isTime } from './calendar.ts'
import { scaleOf } from './capacity.ts'
import type { AttributeKind } from './resource-schema.ts'

const kinds: Readonly<Record<string, AttributeKind>> = {
  String: 'string',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'float',
  Decimal: 'decimal',
  Boolean: 'boolean',
  DateTime: 'datetime',
  Json: 'json',
  Bytes: 'bytes',
}

export function kindOf(column: ColumnMeta): AttributeKind {
  const kind = column.isEnum ? 'enum' : (clockKind(column) ?? kinds[column.type])
  if (!kind) throw new Error(`The field ${column.name} has the type ${column.type}, which no attribute can have.`)
  return kind
}

/** Of a `DateTime` of which only the day or only the time of day means something, by its type or by an annotation. */
function clockKind({ type, native, only }: ColumnMeta): AttributeKind | null {
  if (type !== 'DateTime') return null
  if (native?.[0] === 'Date') return 'date'
  return native?.[0] === 'Time' ? 'time' : (only ?? null)
}

type Convert = (value: unknown) => unknown

const toDocument: Partial<Record<AttributeKind, Convert>> = {
  bigint: String,
  decimal: (value) => decimalText(value, null),
  // PostgreSQL has dates that JavaScript has not, infinity among them.
  // What was only read to be shown is the text already.
  datetime: shownInstant,
  date: (value) => shownInstant(value)?.replace(/T.*/, '') ?? null,
  // A fraction where there is one.
  time: (value) =>
    shownInstant(value)
      ?.replace(/^.*T/, '')
      .replace(/(?:\.000)?Z$/, '') ?? null,
  bytes: (value) => Buffer.from(value as Uint8Array).toString('base64'),
  // JSON has neither NaN nor Infinity.
  float: (value) => (Number.isFinite(value) ? value : null),
}

function shownInstant(value: unknown): string | null {
  return typeof value === 'string' ? value : instantText(value as Date)
}

const instantText = (value: Date): string | null => (Number.isNaN(value.getTime()) ? null : value.toISOString())

/** A decimal that has `toFixed`, with the digits of its column's scale; null for NaN, which PostgreSQL has among its decimals. */
export function decimalText(value: unknown, scale: number | null): string | null {
  const decimal = value as { toFixed(places?: number): string }
  // Not toString(), which writes small and large numbers with an exponent.
  const text = scale === null ? decimal.toFixed() : decimal.toFixed(scale)
  return /\d$/.test(text) ? text : null
}

const toColumn: Partial<Record<AttributeKind, Convert>> = {
  bigint: (value) => BigInt(value as string),
  // Of all other texts Date makes what it can: of the 30th of February the 2nd of March.
  datetime: (value) => toInstant(value, isDateTime, (text) => text),
  date: (value) => toInstant(value, isDate, (text) => `${text}T00:00:00Z`),
  time: (value) => toInstant(value, isTime, (text) => `1970-01-01T${text}Z`),
  bytes: (value) => {
    // Buffer reads `{ length: 1e9 }` as a list of so many bytes.
    if (typeof value !== 'string') throw new TypeError('Bytes are written as a base64 string.')
    return new Uint8Array(Buffer.from(value, 'base64'))
  },
}

const toInstant = (value: unknown, is: (text: string) => boolean, spell: (text: string) => string): Date =>
  new Date(typeof value === 'string' && is(value) ? spell(value) : Number.NaN)

const same: Convert = (value) => value

/** From a column's value, as Prisma gives it, to a JSON value (docs/specification.md#values). */
export function serializer(column: ColumnMeta): Convert {
  const scale = scaleOf(column)
  return serializing(column, scale === null ? toDocument[kindOf(column)] : (value) => decimalText(value, scale))
}

/** The same for a part of an id, which has the digits that the number needs: its scale changes no id. */
export const idSerializer = (column: ColumnMeta): Convert => serializing(column, toDocument[kindOf(column)])

function serializing(column: ColumnMeta, convert: Convert | undefined): Convert {
  if (!convert) return same
  // Of a list that another program wrote, an item may be NULL.
  if (column.isList)
    return (value) => (value as unknown[] | null)?.map((item) => (item === null ? null : convert(item))) ?? []
  return (value) => (value == null ? null : convert(value))
}

/** From a validated JSON value to the column's value. */
export function deserializer(column: ColumnMeta): Convert {
  const kind = kindOf(column)
  // Prisma tells "no value" from "the JSON value null"; a document cannot, and means the first.
  if (kind === 'json' && !column.isList) return (value) => (value === null ? DbNull : value)
  const convert = toColumn[kind]
  if (!convert) return same
  if (column.isList) return (value) => (value as unknown[]).map(convert)
  return (value) => (value === null ? null : convert(value))
}
