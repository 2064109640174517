import type { ColumnMeta, EnumMeta, ScalarType } from '../../../model/meta.ts'
import { spellingOf, storedInstant } from '../../../model/stored-instant.ts'
import { NotInSql } from '../not-in-sql.ts'
import { asIs, binding, type Codec, type CodecOf, reading, refuse } from './codec.ts'
import { enumCodec } from './enum-codec.ts'
import { toInstant } from './instants.ts'
import * as values from './values.ts'

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
const listCodec = ({ read }: Codec): Codec => ({
  bind: refuse('a condition on a list'),
  read: (stored) => (JSON.parse(stored as string) as unknown[]).map((item) => (item === null ? null : read(item))),
})

/** Types whose text needs a treatment of its own. */
const unlike: ReadonlySet<string> = new Set(['Money', 'Oid'])

const unknownType = ({ name }: ColumnMeta): Codec => {
  const fail = refuse(`the type of ${name}`)
  return { bind: fail, read: fail }
}

const number = reading('number', values.isText, toNumber)
const text = reading('text', values.isText, asIs)

const scalars: Readonly<Record<Exclude<ScalarType, 'DateTime'>, Codec>> = {
  String: { bind: binding('String', isStorable, asIs), read: text },
  Int: { bind: binding('Int', values.isInt, asIs), read: number },
  BigInt: { bind: binding('BigInt', values.isBigInt, String), read: reading('text', values.isText, BigInt) },
  Float: { bind: binding('Float', values.isNumber, String), read: number },
  Decimal: {
    bind: binding('Decimal', values.isDecimal, (value) => new values.Decimal(value).toFixed()),
    read: reading('text', values.isText, (stored) => new values.Decimal(stored)),
  },
  Boolean: {
    bind: binding('Boolean', values.isBoolean, String),
    read: reading('boolean', values.isText, (stored) => stored.startsWith('t')),
  },
  Json: { bind: refuse('a condition on JSON'), read: reading('text', values.isText, (stored) => JSON.parse(stored)) },
  Bytes: {
    bind: binding('Bytes', values.isBytes, asIs),
    read: reading('bytes', values.isText, (stored) => new Uint8Array(Buffer.from(stored.slice(2), 'hex'))),
  },
}

// The server refuses the null character; how that is told is decided where Prisma meets it.
function isStorable(value: unknown): value is string {
  return values.isText(value) && !value.includes('\0')
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
  // JavaScript has no infinity and no 24 o'clock, reads no year of five digits, and a time's offset is left out of what it is read as.
  const kept = (instant: Date, stored: string) =>
    values.isInstant(instant) && type !== 'Timetz' && !stored.includes('24:00:00')
      ? instant
      : storedInstant(instant, stored)
  const bind = binding('DateTime', values.isInstant, (value) => shown(values.toDate(value).toISOString()))
  return {
    bind: (value) => (value instanceof Date ? (spellingOf(value) ?? bind(value)) : bind(value)),
    read: reading('text', values.isText, read),
    ...(shown === dateTime && { show: reading('text', values.isText, (stored) => isoText(stored) ?? unusual(stored)) }),
  }
}

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
