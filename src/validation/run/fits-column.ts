import { Decimal } from '@prisma/client/runtime/client'
import type { ColumnMeta, Provider } from '../../model/meta.ts'
import { integerRange } from '../../schema/capacity.ts'
import { kindOf } from '../../schema/values.ts'
import { isDecimal } from '../rules/values.ts'

/** Can the column hold the value, which is not null: its type, not its meaning. */
export function fitsColumn(column: ColumnMeta, value: unknown, values: readonly string[] | null): boolean {
  if (!column.isList) return fits(column, value, values)
  return Array.isArray(value) && value.every((each) => fits(column, each, values))
}

function fits(column: ColumnMeta, value: unknown, values: readonly string[] | null): boolean {
  const kind = kindOf(column)
  switch (kind) {
    case 'string':
      return typeof value === 'string'
    case 'integer': {
      const { min, max } = integerRange(column)
      return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
    }
    case 'bigint':
      return typeof value === 'bigint' && BigInt.asIntN(64, value) === value
    case 'float':
      return Number.isFinite(value)
    case 'decimal':
      return typeof value === 'string' ? isDecimal(value) : Number.isFinite(value) || isDecimalObject(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'datetime':
    case 'date':
    case 'time':
      return value instanceof Date && isInstant(value)
    case 'bytes':
      return value instanceof Uint8Array
    case 'enum':
      return typeof value === 'string' && values?.includes(value) === true
    case 'json':
      return value !== undefined && value !== null
    default:
      return kind satisfies never
  }
}

// What an application converts a value to; a column of SQLite has no room for NaN, and documents have none either.
const isDecimalObject = (value: unknown): boolean => Decimal.isDecimal(value) && (value as Decimal).isFinite()

function isInstant(value: Date): boolean {
  const year = value.getUTCFullYear()
  return year >= 1 && year <= 9999
}

// https://www.postgresql.org/docs/current/datatype-character.html: text cannot hold the character with code zero.
const refusesNull: ReadonlySet<Provider> = new Set(['postgresql', 'cockroachdb'])

/**
 * Where in the value text stands that the database would refuse or change: lone surrogates, and U+0000 where text
 * cannot hold it. Null when there is none. Names of members count as well.
 */
export function findUnstorable(value: unknown, provider: Provider): readonly string[] | null {
  if (typeof value === 'string') return isStorable(value, provider) ? null : []
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name, provider)) return []
    const found = findUnstorable(member, provider)
    if (found) return [name, ...found]
  }
  return null
}

const isStorable = (text: string, provider: Provider): boolean =>
  text.isWellFormed() && !(refusesNull.has(provider) && text.includes('\0'))
