import type { DecimalSize } from '../../schema/capacity.ts'

const dateTime = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))$/

/**
 * ISO 8601: real calendar days, hours to 23, minutes and seconds to 59, `Z` or an offset.
 * The instant lies in the years 1 to 9999, which every database can hold.
 */
export function isDateTime(value: string): boolean {
  const match = dateTime.exec(value)
  if (!match) return false
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = match.slice(1).map(Number) as Parts
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return false
  const instant = Date.parse(value)
  return instant >= firstInstant && instant <= lastInstant
}

// Groups that did not take part are NaN, and no comparison with NaN holds.
type Parts = [number, number, number, number, number, number, number, number]

const firstInstant = Date.parse('0001-01-01T00:00:00.000Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** A signed 64-bit integer in its one spelling. */
export function isBigInt(value: string): boolean {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(value)) return false
  return BigInt.asIntN(64, BigInt(value)) === BigInt(value)
}

/** A decimal number without an exponent, of at most so many digits. */
export function isDecimal(value: string, size: DecimalSize | null = null): boolean {
  const match = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/.exec(value)
  if (!match) return false
  const whole = match[1] === '0' ? 0 : (match[1] as string).length
  const fraction = match[2]?.length ?? 0
  if (size) return whole <= size.precision - size.scale && fraction <= size.scale
  return whole + fraction <= 1000
}

/** Base64 with its padding, in its one spelling. */
export const isBase64 = (value: string): boolean => Buffer.from(value, 'base64').toString('base64') === value

export const isUuid = (value: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)

/** An address of the web, of FTP, or of either without its scheme, whose host has a dot; what has to be encoded is. */
export function isUrl(value: string): boolean {
  if (!/^(?:(?:https?|ftp):)?\/\/[^\s"<>\\^`{|}]+$/i.test(value)) return false
  const url = value.startsWith('/') ? `http:${value}` : value
  return URL.canParse(url) && /.\../.test(new URL(url).hostname)
}
