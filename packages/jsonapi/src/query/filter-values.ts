import type { JsonApiError } from '../document/error.ts'
import { badParameter } from '../document/errors.ts'
import { say, type Text } from '../document/text.ts'
import type { ColumnMeta } from '../model/meta.ts'
import { isDate, isTime, parseDateTime } from '../schema/calendar.ts'
import type { AttributeKind } from '../schema/resource-schema.ts'

/** What a text in a query has to be to become a value of a kind, and how it becomes one. */
export interface ValueKind {
  /** Ends the sentence "… must be". */
  readonly expected: Text
  /** The document's value (docs/specification.md#values): a JSON value; null for a text that does not fit. */
  readonly parse: (text: string) => string | number | boolean | null
}

/** What a value has to be; where a + was sent as it is, which in a URL is a space, that too. */
export const wrongValue = (key: string, { expected, parse }: ValueKind, text: string): JsonApiError =>
  badParameter(
    key,
    text.includes(' ') && parse(text.replaceAll(' ', '+')) !== null
      ? say`The value of ${key} must be ${expected}. Write %2B for a +: it is a space otherwise.`
      : say`The value of ${key} must be ${expected}.`,
  )

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/

const integer = (bits: 16 | 32 | 64): ValueKind => {
  const max = 2n ** BigInt(bits - 1) - 1n
  return {
    expected: say`an integer from ${-max - 1n} to ${max}`,
    parse(text) {
      if (!/^-?\d{1,40}$/.test(text)) return null
      const value = BigInt(text)
      if (value > max || value < -max - 1n) return null
      return bits === 64 ? String(value) : Number(value)
    },
  }
}

const text: ValueKind = {
  expected: say`a text without null characters`,
  parse: (value) => (isStorable(value) ? value : null),
}

/** PostgreSQL's text holds neither U+0000 nor half a surrogate pair; no row of another database should differ. */
export const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

/** The kinds whose texts do not depend on a column. */
export const kinds = {
  string: text,
  integer: integer(32),
  bigint: integer(64),
  float: {
    expected: say`a number`,
    parse: (value) => (/^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(value) ? finite(Number(value)) : null),
  },
  decimal: {
    expected: say`a decimal number`,
    parse: (value) => (/^-?\d+(?:\.\d+)?$/.test(value) && finite(Number(value)) !== null ? value : null),
  },
  boolean: {
    expected: say`true or false`,
    parse: (value) => (value === 'true' ? true : value === 'false' ? false : null),
  },
  datetime: { expected: say`an ISO 8601 date-time such as 2025-01-31T09:30:00Z`, parse: parseDateTime },
  date: { expected: say`a date such as 2026-11-27`, parse: (value) => (isDate(value) ? value : null) },
  time: { expected: say`a time such as 09:30:00`, parse: (value) => (isTime(value) ? value : null) },
  bytes: { expected: say`base64`, parse: (value) => (base64.test(value) ? value : null) },
} as const satisfies Partial<Record<AttributeKind, ValueKind>>

/** How texts become values of a column; null where none can be compared with it. */
export function valueKind(kind: AttributeKind, column: ColumnMeta, values: readonly string[] | null): ValueKind | null {
  if (kind === 'enum') return oneOf(values ?? [])
  const native = column.native?.[0]
  if (native === 'Uuid') return { expected: say`a UUID`, parse: (value) => (uuid.test(value) ? value : null) }
  if (native === 'SmallInt') return integer(16)
  // PostgreSQL refuses texts that are no such value in ways of their own.
  if (native === 'Inet' || native === 'Bit' || native === 'VarBit' || native === 'Xml') return null
  return kind === 'json' ? null : kinds[kind]
}

export const oneOf = (values: readonly string[]): ValueKind => ({
  expected: say`one of ${values.join(', ')}`,
  parse: (value) => (values.includes(value) ? value : null),
})

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
