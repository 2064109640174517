import { isIP } from 'node:net'
import type { ColumnMeta, Provider } from '../model/meta.ts'
import { Decimal } from '../model/prisma-values.ts'

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
