import type { ColumnMeta, EnumMeta, ScalarType } from '@prismapi/jsonapi/model/meta'
import { Decimal, isLacked, lackedInstant, spellingOf } from '@prismapi/jsonapi/model/prisma-values'
import type { InstantPart } from '@prismapi/jsonapi/schema/statistics'
import { PostgresQueryCompiler, sql } from 'kysely'
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
  isText,
  NotInSql,
  reading,
  refuse,
  toDate,
  toInstant,
  writeJson,
} from './codec.ts'
import type { Dialect } from './dialect.ts'
import { postgresWords } from './word-search.ts'

/** As the adapter of Prisma binds values to PostgreSQL. All columns come as the text that the server sends. */
export const postgresCodecs =
  (enums: Readonly<Record<string, EnumMeta>>): CodecOf =>
  (column: ColumnMeta): Codec => {
    if (unlike.has(column.native?.[0] ?? '')) return unknownType(column)
    const codec = itemCodec(column, enums)
    return column.isList ? listCodec(codec) : codec
  }

function itemCodec(column: ColumnMeta, enums: Readonly<Record<string, EnumMeta>>): Codec {
  if (column.isEnum) return enumCodec(enums[column.type])
  if (column.type === 'DateTime') return instantCodec(column)
  return scalars[column.type as Exclude<ScalarType, 'DateTime'>] ?? unknownType(column)
}

/** A list is selected as JSON of the texts of its items. */
const listCodec = ({ read, bind, write = bind }: Codec): Codec => ({
  bind: refuse('a condition on a list'),
  write: binding('list', Array.isArray, (items: readonly unknown[]) => items.map(write)),
  read: (stored) => (JSON.parse(stored as string) as unknown[]).map((item) => (item === null ? null : read(item))),
})

/** Types whose text needs a treatment of its own. */
const unlike: ReadonlySet<string> = new Set(['Money', 'Oid'])

const unknownType = ({ name }: ColumnMeta): Codec => {
  const fail = refuse(`the type of ${name}`)
  return { bind: fail, read: fail }
}

const number = reading('number', isText, toNumber)
const text = reading('text', isText, asIs)

const scalars: Readonly<Record<Exclude<ScalarType, 'DateTime'>, Codec>> = {
  String: { bind: binding('String', isStorable, asIs), read: text },
  Int: { bind: binding('Int', isInt, asIs), read: number },
  BigInt: { bind: binding('BigInt', isBigInt, String), read: reading('text', isText, BigInt) },
  Float: { bind: binding('Float', orLacked(isNumber), String), read: number },
  Decimal: {
    bind: binding('Decimal', orLacked(isDecimal), (value) => new Decimal(value).toFixed()),
    read: reading('text', isText, (stored) => new Decimal(stored)),
  },
  Boolean: {
    bind: binding('Boolean', isBoolean, String),
    read: reading('boolean', isText, (stored) => stored.startsWith('t')),
  },
  Json: {
    bind: refuse('a condition on JSON'),
    write: writeJson,
    read: reading('text', isText, (stored) => JSON.parse(stored)),
  },
  Bytes: {
    bind: binding('Bytes', isBytes, asIs),
    read: reading('bytes', isText, (stored) => new Uint8Array(Buffer.from(stored.slice(2), 'hex'))),
  },
}

/** NaN and the infinities, too: ids and cursors have them from rows. */
function orLacked<T>(is: (value: unknown) => value is T) {
  return (value: unknown): value is T => is(value) || (!(value instanceof Date) && isLacked(value))
}

// The server refuses the null character; how that is told is decided where Prisma meets it.
function isStorable(value: unknown): value is string {
  return isText(value) && !value.includes('\0')
}

function toNumber(stored: string): number {
  const value = Number(stored)
  if (Number.isNaN(value) && stored !== 'NaN') throw new NotInSql('a stored text that is no number')
  return value
}

const clocks: ReadonlySet<string> = new Set(['Time', 'Timetz'])
const zoned: ReadonlySet<string> = new Set(['Timetz', 'Timestamptz'])

/** The adapter writes instants without a zone and reads them without theirs: its sessions are in UTC. */
function instantCodec({ native }: ColumnMeta): Codec {
  const type = native?.[0] ?? ''
  const shown = type === 'Date' ? datePart : clocks.has(type) ? timePart : dateTime
  const unusual = zoned.has(type) ? (stored: string) => toInstant(stored.replace(zone, '')) : toInstant
  const read = (stored: string) => {
    const text = isoText(stored)
    return text === null ? kept(unusual(stored), stored) : new Date(text)
  }
  // JavaScript has no infinity and no 24 o'clock, reads no year of five
  // digits, and a time's offset is left out of what it is read as.
  const kept = (instant: Date, stored: string) => {
    const isWhole = isInstant(instant) && !(clocks.has(type) && (stored.startsWith('24') || isElsewhere.test(stored)))
    return isWhole ? instant : lackedInstant(instant, stored)
  }
  const bind = binding('DateTime', isInstant, (value) => shown(toDate(value).toISOString()))
  return {
    bind: (value) => (value instanceof Date ? (spellingOf(value) ?? bind(value)) : bind(value)),
    read: reading('text', isText, read),
    ...(shown === dateTime && { show: reading('text', isText, (stored) => isoText(stored) ?? unusual(stored)) }),
  }
}

const isElsewhere = /[+-](?!00$)\d\d(:\d\d)?$/
const zone = /[+-]\d{2}(:\d{2})?$/

// As the server writes `timestamp(3)`, and in UTC `timestamptz(3)`: without the zeros at the end.
const timestamp = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?(?:\+00)?$/

function isoText(stored: string): string | null {
  const [, day, clock, fraction = ''] = timestamp.exec(stored) ?? []
  return day === undefined ? null : `${day}T${clock}.${fraction.padEnd(3, '0')}Z`
}

const datePart = (iso: string): string => iso.slice(0, 10)
const timePart = (iso: string): string => iso.slice(11, 23)
const dateTime = (iso: string): string => `${datePart(iso)} ${timePart(iso)}`

export const postgresDialect: Dialect = {
  provider: 'postgresql',
  ignoresCase: true,
  maxLiteralLimit: 1,
  // PostgreSQL takes a bound LIMIT for a tenth of the table, and so
  // plans each page anew. With the text's number it keeps its plan.
  limited: (rows, { number, most, offset }) =>
    sql`select * from (${rows} limit ${sql.lit(most)}${offset}) as ${sql.id('slice')} limit ${number}`,
  codecsOf: postgresCodecs,
  bindList: (values) => values,
  isAmong: (column, list) => sql`${column} = any(${list})`,
  search: null,
  words: postgresWords,
  subselectFence: sql` offset 0`,
  selected: (column, { isList }) => (isList ? sql`coalesce(array_to_json(${column}::text[]), '[]')` : column),
  instantPart(column, part, { native }) {
    const utc = native?.[0] === 'Timestamptz' ? sql`(${column} at time zone 'UTC')` : column
    return sql`to_char(${utc}, ${sql.lit(formats[part])})`
  },
  sum: (column) => sql`sum(${column})`,
  sumOrder: (column) => sql`sum(${column})`,
  average: (column, { type }) => (type === 'Decimal' ? sql`avg(${column})` : sql`avg(${column})::float8`),
  compiler: () => new PostgresQueryCompiler(),
}

const formats: Readonly<Record<InstantPart, string>> = {
  year: 'YYYY',
  month: 'YYYY-MM',
  week: 'IYYY-"W"IW',
  day: 'YYYY-MM-DD',
}
