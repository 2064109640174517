import type { DecimalSize } from '../../schema/capacity.ts'

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
