import { isIP } from 'node:net'
import type { ColumnMeta, ModelMeta, Provider, Resources } from '../model/meta.ts'
import { DbNull, Decimal, isLacked, nameOfLacked } from '../model/prisma-values.ts'
import type { Row } from '../model/where.ts'
import { isDate, isDateTime, isTime } from './calendar.ts'
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

/**
 * Does the column keep a value of its type as it is? A database, or Prisma on the way there, would cut, round or refuse
 * what it has no room for. Of a list, one item.
 */
export function holds(column: ColumnMeta, provider: Provider, value: unknown): boolean {
  const [native = '', ...sizes] = column.native ?? []
  switch (column.type) {
    case 'String':
      return holdsText(native, Number(sizes[0] ?? 0), String(value))
    case 'Float':
      return native === 'Real' ? holdsReal(value as number) : Number.isFinite(roundAsPrisma(value as number))
    case 'Decimal':
      return holdsDecimal(decimalSize(column, provider), new Decimal(value as Decimal))
    default:
      return true
  }
}

/** The digits that a decimal column has room for. */
export interface DecimalSize {
  /** Digits in all. */
  readonly precision: number
  /** Digits behind the point. */
  readonly scale: number
}

/** The digits that a decimal column has room for; null where it is a double. */
export function decimalSize({ native }: ColumnMeta, provider: Provider): DecimalSize | null {
  if (provider === 'sqlite') return null
  const [type, precision, scale] = native ?? []
  if (type === 'Money') return { precision: 18, scale: 2 }
  // https://www.prisma.io/docs/orm/reference/prisma-schema-reference#decimal: without a size, 65 digits and 30 of them
  // behind the point.
  return precision === undefined
    ? { precision: 65, scale: 30 }
    : { precision: Number(precision), scale: Number(scale ?? 0) }
}

/** How many digits behind the point a decimal column shows; null where its type does not say. */
export function scaleOf({ type, native }: ColumnMeta): number | null {
  if (type !== 'Decimal') return null
  const [name, precision, scale] = native ?? []
  if (name === 'Money') return 2
  return precision === undefined ? null : Number(scale ?? 0)
}

/** The integers of a 32-bit column, or of the smaller one that it is; SQLite itself would take more. */
export function integerRange(column: ColumnMeta | null): { readonly min: number; readonly max: number } {
  const native = column?.native?.[0]
  if (native === 'SmallInt') return { min: -32_768, max: 32_767 }
  return { min: native === 'Oid' ? 0 : -2_147_483_648, max: 2_147_483_647 }
}

function holdsText(native: string, size: number, text: string): boolean {
  if (native === 'Bit') return new RegExp(`^[01]{${size || 1}}$`).test(text)
  if (native === 'VarBit') return /^[01]*$/.test(text) && (size === 0 || text.length <= size)
  if (native === 'Inet') return isInet(text)
  return size === 0 || !/char$/i.test(native) || [...text].length <= size
}

function isInet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && bits > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
}

function holdsDecimal(size: DecimalSize | null, value: Decimal): boolean {
  if (!value.isFinite()) return false
  if (size === null) return isBinary(value)
  const whole = value.abs().lt(1) ? 0 : value.precision(true) - value.decimalPlaces()
  return value.decimalPlaces() <= size.scale && whole <= size.precision - size.scale
}

// SQLite has no decimals: Prisma writes and reads a double there.
function isBinary(value: Decimal): boolean {
  const double = Number(value.toFixed())
  return Number.isFinite(double) && new Decimal(String(double)).eq(value)
}

// Prisma writes 16 digits of a double, measured on 7.10: of the largest ones, too few.
const roundAsPrisma = (value: number): number => Number(value.toPrecision(16))

const holdsReal = (value: number): boolean =>
  Number.isFinite(Math.fround(value)) && (Math.fround(value) !== 0 || value === 0)
