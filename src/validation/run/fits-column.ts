import type { ColumnMeta } from '../../model/meta.ts'
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

// Prisma's Decimal; nothing that JSON can write has a function.
const isDecimalObject = (value: unknown): boolean =>
  typeof (value as { toFixed?: unknown } | null)?.toFixed === 'function'

function isInstant(value: Date): boolean {
  const year = value.getUTCFullYear()
  return year >= 1 && year <= 9999
}
