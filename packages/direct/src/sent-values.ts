import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import { decimalText } from '@prismapi/jsonapi/schema/attributes'

/** A value of an application as documents have it: what Prisma Client takes, too, such as a `Date`. */
export function sentValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Decimal.isDecimal(value)) return decimalText(value, null)
  if (Array.isArray(value)) return value.map(sentValue)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => [name, sentValue(each)]),
  )
}

/** An id as documents have it; of a row or an identifier, its own. */
export const idText = (reference: unknown): string =>
  typeof reference === 'object' && reference !== null && 'id' in reference ? String(reference.id) : String(reference)
