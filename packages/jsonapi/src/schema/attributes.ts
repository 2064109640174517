import type { ColumnMeta, ModelMeta, Resources } from '../model/meta.ts'
import { DbNull, isLacked, nameOfLacked } from '../model/prisma-values.ts'
import type { Row } from '../model/where.ts'
import { isDate, isDateTime, isTime } from './calendar.ts'
import { scaleOf } from './capacity.ts'
import { checkDeprecation, type Deprecation } from './deprecation.ts'
import type { AttributeOverride } from './fields.ts'
import type { Attribute, AttributeKind } from './resource-schema.ts'
import { isSecret } from './secrets.ts'

/** Columns that no client sets: the database or Prisma keeps them (docs/specification.md#inferred-rules). */
const isKeptByPrisma = (column: ColumnMeta): boolean =>
  column.isUpdatedAt || column.default === 'now' || column.default === 'autoincrement'

/** Is the column shown as an attribute unless the application says otherwise. */
export function isAttribute(model: ModelMeta, column: ColumnMeta): boolean {
  const isOnlyId = model.key.length === 1 && model.key[0] === column.name
  return (!column.isForeignKey || standsAlone(model, column)) && !isOnlyId
}

/**
 * Part of a foreign key, and needed where none of its relations is
 * there: `programId` beside an optional `[programId, partnerId]`.
 */
function standsAlone({ relations }: ModelMeta, { name, isNullable }: ColumnMeta): boolean {
  const own = Object.values(relations).filter(({ foreignKey }) => foreignKey?.columns.includes(name))
  if (isNullable || own.length === 0) return false
  return own.every((relation) => relation.isNullable && (relation.foreignKey?.columns.length ?? 0) > 1)
}

/** What is not said of a column that holds a secret: it is hidden, or accepted and never shown where rows need it. */
export type SecretAccess = 'hidden' | 'writeOnly'

/**
 * How clients meet a column whose name says that it holds a secret; null for all others, and where a comment says it.
 */
export function secretAccess(model: ModelMeta, column: ColumnMeta): SecretAccess | null {
  if (column.hidden || column.writeOnly || !isSecret(model.name, column)) return null
  return isNeeded(column) && !column.readOnly && model.operations.includes('create') ? 'writeOnly' : 'hidden'
}

/** Has a value to be given for every row. */
const isNeeded = ({ isNullable, isList, isUpdatedAt, default: value }: ColumnMeta): boolean =>
  !isNullable && value === null && !isList && !isUpdatedAt

interface ColumnParts {
  readonly resources: Resources
  readonly override: AttributeOverride | null
  /** The server sets it, whatever the application says. */
  readonly isKept?: boolean
  /** It holds a secret, and the application says nothing of it. */
  readonly isSecret?: boolean
}

/** The attribute of a column, with the application's override over what the Prisma schema says. */
export function columnAttribute(
  name: string,
  column: ColumnMeta,
  { resources, override, isKept = false, isSecret = false }: ColumnParts,
): Attribute {
  const kind = kindOf(column)
  const show = serializer(column)
  const custom = override?.toDocument
  const writeOnly = override?.isWriteOnly ?? (column.writeOnly || isSecret)
  const isComparable = !writeOnly && !column.isList && kind !== 'json' && kind !== 'bytes'
  return Object.freeze({
    name,
    kind,
    isList: column.isList,
    isNullable: column.isNullable,
    isRequired: isNeeded(column),
    readOnly: isKept || (override?.readOnly ?? (column.readOnly || isKeptByPrisma(column))),
    writeOnly,
    // PostgreSQL has no order of its `xml`.
    isSortable: (override?.isSortable ?? true) && isComparable && column.native?.[0] !== 'Xml',
    isFilterable: !writeOnly && (kind === 'json' ? filtersByPath(override) : (override?.isFilterable ?? true)),
    values: column.isEnum ? (resources.enums[column.type]?.values ?? []) : null,
    column,
    isConverted: Boolean(custom ?? override?.toColumn),
    deprecation: deprecationOf(override),
    ...(override?.options && { options: override.options }),
    reads: [column.name],
    serialize: custom ? (row: Row) => custom(row[column.name] as never) ?? null : (row: Row) => show(row[column.name]),
    deserialize: override?.toColumn ?? deserializer(column),
  } satisfies Attribute)
}

const deprecationOf = (override: AttributeOverride | null): Deprecation | null =>
  checkDeprecation(`attribute('${override?.field}').deprecated`, override?.deprecation)

const filtersByPath = (override: AttributeOverride | null): boolean => override?.isFilterableByPath ?? false

/** An attribute without a column: computed from others, or accepted only (`virtual`). */
export function ownAttribute(name: string, override: AttributeOverride): Attribute {
  const { source } = override
  return Object.freeze({
    name,
    kind: source ? 'json' : 'string',
    isList: false,
    isNullable: true,
    isRequired: false,
    readOnly: override.readOnly ?? source !== null,
    writeOnly: source === null,
    isSortable: false,
    isFilterable: false,
    values: null,
    column: null,
    isConverted: true,
    deprecation: deprecationOf(override),
    ...(override.options && { options: override.options }),
    reads: source?.columns ?? [],
    serialize: source ? (row: Row) => source.value(only(row, source.columns) as never) ?? null : () => null,
    deserialize: override.toColumn ?? ((value: unknown) => value),
  } satisfies Attribute)
}

// A row may have more columns, which are not there on every URL: what is computed must not come to depend on them.
const only = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]))

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
  return native?.[0] === 'Time' || native?.[0] === 'Timetz' ? 'time' : (only ?? null)
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

/**
 * A decimal that has `toFixed`, with the digits of its column's scale;
 * null for NaN, which PostgreSQL has among its decimals.
 */
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

/**
 * The same for a part of an id, which tells each value from all others: a number has the digits
 * that it needs, whatever its scale, and what JavaScript or JSON lacks is what PostgreSQL calls it.
 */
export function idSerializer(column: ColumnMeta): Convert {
  const convert = serializing(column, toDocument[kindOf(column)])
  return (value) => (isLacked(value) ? lackedText(value) : convert(value))
}

const lackedText = (value: unknown): string => (value instanceof Date ? nameOfLacked(value) : null) ?? String(value)

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
