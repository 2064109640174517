import { Decimal } from '@prisma/client/runtime/client'

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

export { Decimal }
