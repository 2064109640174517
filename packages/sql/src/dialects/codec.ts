import type { Bound } from '@prismapi/core/database/sql-database'
import type { ColumnMeta, EnumMeta } from '@prismapi/jsonapi/model/meta'
import { Decimal, nullIn } from '@prismapi/jsonapi/model/prisma-values'

/**
 * A part of a plan, or a stored value, that the SQL reader does not know: the whole
 * plan is Prisma's then, and so is what it says about it. The message names the part.
 */
export class NotInSql extends Error {}

/** How the values of a column go into the database and come out of it, as they do by way of Prisma. */
export interface Codec {
  /**
   * A value of a condition, as it is bound.
   * @throws {NotInSql} for what Prisma refuses, or takes for something else.
   */
  readonly bind: (value: unknown) => Bound
  /**
   * What the driver gave, as Prisma gives it.
   * @throws {NotInSql} for what a column of this type should not hold.
   */
  readonly read: (stored: unknown) => unknown
  /**
   * What the driver gave of an instant, as the ISO text of what `read`
   * makes of it; left out where that is no shorter way.
   */
  readonly show?: (stored: unknown) => unknown
  /** The driver would round the value: it has to be selected as text. */
  readonly isText?: true
  /**
   * A value that is written, where that is another thing than one that is compared. @throws {NotInSql} as `bind` does.
   */
  readonly write?: (value: unknown) => Bound
  /** Its values are the same in JSON, so that a list of them can be bound as one text. */
  readonly fitsJson?: true
}

/** The codecs of one database, by what the column is. */
export type CodecOf = (column: ColumnMeta) => Codec

export const asIs = <T>(value: T): T => value

export const refuse = (what: string) => (): never => {
  throw new NotInSql(what)
}

/** The binding of values that meet the test, which says which they are. */
export const binding =
  <T>(type: string, is: (value: unknown) => value is T, bind: (value: T) => Bound) =>
  (value: unknown): Bound => {
    if (is(value)) return bind(value)
    throw new NotInSql(`a value that is no ${type}`)
  }

/** The reading of stored values that meet the test. */
export const reading =
  <T>(type: string, is: (stored: unknown) => stored is T, read: (stored: T) => unknown) =>
  (stored: unknown): unknown => {
    if (is(stored)) return read(stored)
    throw new NotInSql(`a stored value that is no ${type}`)
  }

/** Values of an enum have Prisma's names outside, and their own in the database. */
export function enumCodec(meta: EnumMeta | undefined): Codec {
  if (!meta) return { bind: refuse('an enum'), read: refuse('an enum') }
  const stored = new Map<unknown, string>(meta.values.map((name) => [name, meta.stored[name] ?? name]))
  const names = new Map<unknown, string>([...stored].map(([name, text]) => [text, name as string]))
  const find = (texts: ReadonlyMap<unknown, string>) => (value: unknown) => {
    const found = texts.get(value)
    if (found === undefined) throw new NotInSql(`a value that is no ${meta.name}`)
    return found
  }
  return { bind: find(stored), read: find(names), fitsJson: true }
}

// What values of conditions may be, without Prisma making something else of them. For all others Prisma is asked.

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
export const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array
export const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value)
export const isInt = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) === ((value as number) | 0)

const biggest = 2n ** 63n
export const isBigInt = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' ? value >= -biggest && value < biggest : isSafeInteger(value)

// Years of five digits and more are written in ways of which no two databases agree on the order.
const isCommon = (date: Date): boolean => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/

export const isInstant = (value: unknown): value is Date | string =>
  value instanceof Date ? isCommon(value) : isText(value) && instant.test(value) && isCommon(new Date(value))

export const toDate = (value: Date | string): Date => (isText(value) ? new Date(value) : value)

const decimal = /^-?\d+(\.\d+)?$/

export const isDecimal = (value: unknown): value is Decimal | number | string =>
  isNumber(value) || (isText(value) ? decimal.test(value) : Decimal.isDecimal(value) && (value as Decimal).isFinite())

const time = /(\d{2}:\d{2}:\d{2}(?:\.\d+)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * The instant that a stored text means to Prisma: UTC where it names no zone, midnight where it names no
 * time, 1970 where it names no day. JavaScript alone would read some of them in the time zone of the machine.
 */
export function toInstant(text: string): Date {
  const found = time.exec(text)
  if (!found) return new Date(`${text}T00:00:00Z`)
  const [, clock = '', zone = 'Z'] = found
  const day = found.index === 0 ? '1970-01-01T' : text.slice(0, found.index).replace(/ $/, 'T')
  return new Date(day + clock + (zone.length === 3 ? `${zone}:00` : zone.replace(/^(...)(..)$/, '$1:$2')))
}

/** A value of a Json column as the text that is stored. @throws {NotInSql} for what Prisma makes something else of. */
export function writeJson(value: unknown): string {
  if (nullIn(value) === 'JsonNull') return 'null'
  if (!isPlain(value)) throw new NotInSql('a value that is no plain JSON')
  return JSON.stringify(value)
}

/**
 * Is it what JSON itself knows, and in no other way than `JSON.parse`
 * gives it. The null of the column alone has another name.
 */
const isPlain = (value: unknown): boolean => value !== null && isPlainItem(value)

function isPlainItem(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPlainItem)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.entries(value).every(([name, each]) => name !== '$type' && isPlainItem(name) && isPlainItem(each))
}
