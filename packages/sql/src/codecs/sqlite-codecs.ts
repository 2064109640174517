import type { Bound, SpellingOfInstants } from '@prismapi/core/database/sql-database'
import type { ColumnMeta, EnumMeta, ScalarType } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
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
} from './codec.ts'
import { writeJson } from './json.ts'

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
