import type { Bound, SpellingOfInstants } from '@prismapi/core/database/sql-database'
import type { ColumnMeta, EnumMeta, ScalarType } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import type { InstantPart } from '@prismapi/jsonapi/schema/statistics'
import { SqliteQueryCompiler, sql } from 'kysely'
import {
  asIs,
  binding,
  type Codec,
  type CodecOf,
  enumCodec,
  isBigInt,
  isBoolean,
  isBytes,
  isDecimal,
  isInstant,
  isInt,
  isNumber,
  isSafeInteger,
  isText,
  NotInSql,
  reading,
  refuse,
  toDate,
  toInstant,
  writeJson,
} from './codec.ts'
import type { Dialect, Sql } from './dialect.ts'
import { sqliteWords } from './word-search.ts'

/** As the adapter of Prisma stores values in SQLite, and reads them. */
export const sqliteCodecs =
  (enums: Readonly<Record<string, EnumMeta>>, instants: SpellingOfInstants = 'iso8601'): CodecOf =>
  (column: ColumnMeta): Codec => {
    if (column.isList) return unknownType(column)
    if (column.isEnum) return enumCodec(enums[column.type])
    if (column.type === 'DateTime' && instants === 'unixepoch-ms') return countedInstants
    return scalars[column.type as ScalarType] ?? unknownType(column)
  }

const unknownType = ({ name }: ColumnMeta): Codec => {
  const fail = refuse(`the type of ${name}`)
  return { bind: fail, read: fail }
}

const instantSpelt = (spell: (instant: Date) => Bound): Codec => ({
  bind: binding('DateTime', isInstant, (value) => spell(toDate(value))),
  read: readInstant,
  show: showInstant,
  fitsJson: true,
})
/** What Prisma writes unless it is told otherwise, and what `Dialect.instant` makes of every spelling. */
export const usualInstants = instantSpelt((instant) => instant.toISOString().replace('Z', '+00:00'))
export const zuluInstants = instantSpelt((instant) => instant.toISOString())
const countedInstants = instantSpelt((instant) => instant.getTime())
const number = reading('number', isNumber, asIs)

const scalars: Readonly<Record<ScalarType, Codec>> = {
  String: { bind: binding('String', isText, asIs), read: reading('text', isText, asIs), fitsJson: true },
  Int: {
    bind: binding('Int', isInt, asIs),
    read: reading('integer', isNumber, (stored) => safely(stored, Math.trunc(stored))),
    fitsJson: true,
  },
  BigInt: {
    bind: binding('BigInt', isBigInt, (value) => BigInt(value)),
    read: reading('integer', isDigits, BigInt),
    isText: true,
    fitsJson: true,
  },
  Float: { bind: binding('Float', isNumber, asIs), read: number },
  // A column of decimals keeps 64-bit floats, and integers where they are whole.
  Decimal: {
    bind: binding('Decimal', isDecimal, (value) => Number.parseFloat(value.toString())),
    read: reading('number', isNumber, (stored) => new Decimal(safely(stored, stored))),
  },
  Boolean: {
    bind: binding('Boolean', isBoolean, Number),
    read: reading('number', isNumber, (stored) => stored === 1),
    fitsJson: true,
  },
  DateTime: usualInstants,
  Json: {
    bind: refuse('a condition on JSON'),
    write: writeJson,
    read: reading('JSON', isJson, (stored) => parse(`${stored}`)),
  },
  Bytes: {
    bind: binding('Bytes', isBytes, asIs),
    read: reading('bytes', isBytes, (stored) => new Uint8Array(stored)),
  },
}

/** An integer beyond this was rounded on its way out of the driver. */
function safely<T>(stored: number, value: T): T {
  if (Number.isInteger(stored) && !Number.isSafeInteger(stored)) throw new NotInSql('a stored integer of 64 bits')
  return value
}

function isDigits(stored: unknown): stored is string {
  return isText(stored) && /^-?\d+$/.test(stored)
}

// JSONB is a numeric type to SQLite, so a bare number is stored as one.
function isJson(stored: unknown): stored is string | number {
  return isText(stored) || isSafeInteger(stored) || (isNumber(stored) && !Number.isInteger(stored))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotInSql('a stored text that is no JSON')
  }
}

const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:\+00:00|Z)$/

function readInstant(stored: unknown): Date {
  if (isSafeInteger(stored)) return new Date(stored)
  if (!isText(stored)) throw new NotInSql('a stored value that is no instant')
  // JavaScript reads as it is what Prisma writes, and what it writes itself.
  return isIso.test(stored) ? new Date(stored) : toInstant(stored)
}

// Every text of this kind names a real moment; of the days after the 28th not all do.
const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])`
const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`
/** What Prisma writes, and what JavaScript does. */
const isPlainlyReal = new RegExp(String.raw`^${day}T${clock}\.\d{3}(?:\+00:00|Z)$`)
/** What SQLite's own functions write, and many another program. */
const plainlyReal = new RegExp(String.raw`^(${day})[T ](${clock})(?:\.(\d{1,3})\d*)?(?: ?\+00:00|Z)?$`)

/** The years of four digits. */
const [first, last] = [Date.UTC(-1, 12), Date.UTC(9999, 12) - 1]

function showInstant(stored: unknown): Date | string {
  if (!isText(stored)) {
    const instant = readInstant(stored)
    return instant.getTime() >= first && instant.getTime() <= last ? instant.toISOString() : instant
  }
  if (isPlainlyReal.test(stored)) return `${stored.slice(0, 23)}Z`
  const [, date, time, fraction = ''] = plainlyReal.exec(stored) ?? []
  return date === undefined ? readInstant(stored) : `${date}T${time}.${fraction.padEnd(3, '0')}Z`
}

export const sqliteDialect: Dialect = {
  provider: 'sqlite',
  words: sqliteWords,
  ignoresCase: false,
  // What pages ask for at the most, and one more.
  maxLiteralLimit: 101,
  carriesRows: true,
  // SQLite looks at the value of a bare parameter here, and so
  // prepares the statement again for each one: it must not see one.
  limited: (rows, { number, offset }) => sql`${rows} limit (${number} + 0)${offset}`,
  codecsOf: sqliteCodecs,
  // One text for a list of any length: there is one statement for all of them, and no end of the variables.
  bindList: (values, { fitsJson }) => (fitsJson && values.every(isExact) ? jsonList(values) : null),
  isAmong: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  // LIKE begins anew at each letter of the column: a thousand times as long for a text of a thousand letters.
  search(column, search, text) {
    if (search === 'contains') return sql`instr(lower(${column}), lower(${text})) > 0`
    const part =
      search === 'startsWith' ? sql`substr(${column}, 1, length(${text}))` : sql`substr(${column}, -length(${text}))`
    return sql`lower(${part}) = lower(${text})`
  },
  selected: (column, _, { isText }) => (isText ? sql`cast(${column} as text)` : column),
  instant: (column, stored) => (stored === 'both' ? sql`substr(${column}, 1, 23) || '+00:00'` : ofAnySpelling(column)),
  // An instant is a text of any offset, or the milliseconds since 1970.
  instantPart(column, part) {
    const format = sql.lit(formats[part])
    return sql`case typeof(${column}) when 'integer' then strftime(${format}, ${column} / 1000.0, 'unixepoch') else strftime(${format}, ${column}) end`
  },
  // A sum beyond 64 bits is an error to SQLite: the halves of the numbers are added apart.
  sum(column, { type }) {
    if (type === 'BigInt') return sql`sum(${column} >> 32) || ':' || sum(${column} & 4294967295)`
    return type === 'Int' ? sql`cast(sum(${column}) as text)` : sql`sum(${column})`
  },
  sumOrder: (column, { type }) => (type === 'BigInt' ? sql`avg(${column}) * count(${column})` : sql`sum(${column})`),
  average: (column) => sql`avg(${column})`,
  compiler: () => new SqliteQueryCompiler(),
}

/** As the codec reads it: to the millisecond, which is cut off and not rounded, and in UTC where no zone is named. */
function ofAnySpelling(column: Sql): Sql {
  const usual = sql`${column} glob '????-??-??T??:??:??.???+00:00'`
  const counted = sql`strftime('%Y-%m-%dT%H:%M:%f+00:00', ${column} / 1000.0, 'unixepoch')`
  const zone = sql`trim(ltrim(substr(${column}, 20), '.0123456789'))`
  const minutes = sql`case length(${zone}) when 3 then '00' else substr(${zone}, -2) end`
  const offset = sql`case when ${zone} in ('', 'Z', 'z') then '' else substr(${zone}, 1, 3) || ':' || ${minutes} end`
  const seconds = sql`strftime('%Y-%m-%dT%H:%M:%S', substr(${column}, 1, 19) || ${offset})`
  const digits = sql`case when substr(${column}, 20, 1) = '.' then rtrim(substr(${column}, 21, 3), 'Zz+- ') else '' end`
  const spelt = sql`${seconds} || '.' || substr(${digits} || '000', 1, 3) || '+00:00'`
  return sql`case when ${usual} then ${column} when typeof(${column}) = 'text' then ${spelt} else ${counted} end`
}

/** SQLite calls this JavaScript function for about one row in 256; only then can we end the statement. */
export const stillWanted = 'still_wanted'

/**
 * The same for statements that may be ended: of threads beside the event loop, and those that are tried inside of it.
 */
export const laneDialect: Dialect = {
  ...sqliteDialect,
  endable: (column) => sql`(random() & 255 <> 0 or ${sql.raw(stillWanted)}(${column}))`,
}

const formats: Readonly<Record<InstantPart, string>> = {
  year: '%Y',
  month: '%Y-%m',
  week: '%G-W%V',
  day: '%Y-%m-%d',
}

// SQLite's JSON has neither the null character nor halves of characters.
const isExact = (value: Bound): boolean => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))

// JSON.stringify knows no bigint; SQLite's JSON knows integers of 64 bits.
const jsonList = (values: readonly Bound[]): string =>
  `[${values.map((value) => (typeof value === 'bigint' ? value : JSON.stringify(value))).join()}]`
