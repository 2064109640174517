import type { ColumnMeta, ModelMeta, Provider, Resources } from '../model/meta.ts'
import { Decimal, isLacked, lackedInstant } from '../model/prisma-values.ts'
import type { Row } from '../model/where.ts'
import { holds, idSerializer, integerRange, kindOf } from './attributes.ts'
import { isDate, isLackedInstant, isTime } from './calendar.ts'
import type { IdOverride } from './fields.ts'
import type { IdField } from './resource-schema.ts'

const separator = '_'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Functions by which Prisma or the database makes an id; a column without a default has its ids from the client. */
const patterns: Readonly<Record<string, RegExp>> = {
  uuid,
  cuid: /^[a-z][a-z0-9]{7,31}$/,
  ulid: /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i,
  nanoid: /^[A-Za-z0-9_-]{2,64}$/,
}

/** The id of a model: its key, whose parts are percent-escaped and joined when they are several. */
export function compileId(model: ModelMeta, resources: Resources, override: IdOverride | null): IdField {
  const columns = model.key.map((name) => model.columns[name] as ColumnMeta)
  const parts = columns.map((column) => ({
    name: column.name,
    parse: resources.provider === 'postgresql' ? orLacked(column, resources) : partParser(column, resources),
    show: idSerializer(column),
  }))
  const [only] = columns
  const isNatural = columns.every((column) => column.default === null && !column.isForeignKey)
  const id: IdField = {
    columns: model.key,
    isOrdered: columns.length === 1 && !columns.some(({ type, isEnum }) => isEnum || unordered.has(type)),
    clientGenerated: override?.acceptsClientIds ?? isNatural,
    pattern: override?.clientPattern ?? patterns[only?.default ?? ''] ?? /^(?!\.{1,2}$)[^\0]+$/,
    parse(text) {
      const texts = parts.length === 1 ? [text] : splitId(text)
      // A path segment of dots is taken for a folder on its way here.
      if (texts?.length !== parts.length || /^\.{0,2}$/.test(text)) return null
      const entries = parts.map((part, i) => [part.name, part.parse(texts[i] as string)] as const)
      const row = Object.fromEntries(entries)
      // One spelling for each id: what reads as a row's key but is not how the row is shown names nothing.
      return entries.every(([, value]) => value !== null) && id.format(row) === text ? row : null
    },
    // The pattern is the application's and may be sticky or global, which makes `test` remember where it stopped.
    takes(text) {
      const row = text.search(id.pattern) === -1 ? null : id.parse(text)
      return row !== null && !Object.values(row).some(isLacked)
    },
    format(row: Row) {
      const texts = parts.map((part) => String(part.show(row[part.name])))
      return texts.length === 1 ? (texts[0] as string) : texts.map(escapePart).join(separator)
    },
  }
  return Object.freeze(id)
}

/** The same with what only PostgreSQL has, by its own word for it. */
function orLacked(column: ColumnMeta, resources: Resources): (text: string) => unknown {
  const parse = partParser(column, resources)
  const { type, native } = column
  if (type === 'DateTime')
    return (text) =>
      isLackedInstant(text, native?.[0] ?? '')
        ? lackedInstant(new Date(Number.NaN), text)
        : text.startsWith('+') || text.startsWith('-')
          ? null
          : parse(text)
  const make = type === 'Float' ? Number : type === 'Decimal' ? (text: string) => new Decimal(text) : null
  return make ? (text) => (lackedNumber.test(text) ? make(text) : parse(text)) : parse
}

const lackedNumber = /^(?:NaN|-?Infinity)$/

const unordered: ReadonlySet<string> = new Set(['Bytes', 'Boolean'])

const escapePart = (text: string): string => encodeURIComponent(text).replaceAll(separator, '%5F')

function splitId(text: string): string[] | null {
  try {
    return text.split(separator).map(decodeURIComponent)
  } catch {
    return null
  }
}

/** From an id's text to the column's value; null when no row can have it, so that the query is never made. */
function partParser(column: ColumnMeta, resources: Resources): (text: string) => unknown {
  switch (kindOf(column)) {
    case 'integer':
      return (text) => {
        const { min, max } = integerRange(column)
        return integer(text, BigInt(min), BigInt(max), Number)
      }
    case 'bigint':
      return (text) => integer(text, -(2n ** 63n), 2n ** 63n - 1n, BigInt)
    case 'datetime':
      return (text) => (text === isoOf(text) ? new Date(text) : null)
    case 'date':
      return (text) => (isDate(text) ? new Date(`${text}T00:00:00Z`) : null)
    case 'time':
      return (text) => (isTime(text) ? new Date(`1970-01-01T${text}Z`) : null)
    case 'enum':
      return (text) => (resources.enums[column.type]?.values.includes(text) ? text : null)
    case 'boolean':
      return (text) => (text === 'true' ? true : text === 'false' ? false : null)
    case 'float':
      return (text) => float(Number(text))
    case 'decimal':
      return (text) => (/^-?\d+(\.\d+)?$/.test(text) ? decimal(column, resources.provider, new Decimal(text)) : null)
    case 'bytes':
      return (text) => (/^[A-Za-z0-9+/]+={0,2}$/.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : null)
    default:
      return stringParser(column, resources.provider)
  }
}

function stringParser(column: ColumnMeta, provider: Provider): (text: string) => unknown {
  const isUuid = column.native?.[0] === 'Uuid'
  return (text) => {
    if (!text.isWellFormed()) return null
    // PostgreSQL's text cannot hold U+0000, so no row has such an id.
    if (text.includes('\0') && provider !== 'sqlite') return null
    // The database shows them in small letters, whatever was sent.
    if (isUuid && !(uuid.test(text) && text === text.toLowerCase())) return null
    return holds(column, provider, text) ? text : null
  }
}

// Prisma compares by 16 digits.
const float = (value: number): number | null =>
  Number.isFinite(value) && Number(value.toPrecision(16)) === value ? value : null

const decimal = (column: ColumnMeta, provider: Provider, value: Decimal): Decimal | null =>
  holds(column, provider, value) ? value : null

// One spelling for each number: "01" and "1e0" name no row, or one row would have several ids.
function integer<T>(text: string, min: bigint, max: bigint, convert: (text: string) => T): T | null {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return null
  const value = BigInt(text)
  return value < min || value > max ? null : convert(text)
}

function isoOf(text: string): string | null {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
