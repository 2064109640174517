import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import type { DecimalSize } from '@prismapi/jsonapi/schema/attributes'
import { defaultLocale, type Maybe, type Reference, StringSchema } from 'yup'

type Bound = number | Reference<number>
type Name = 'min' | 'max' | 'length'
type Message<N extends Name> = Parameters<StringSchema[N]>[1]

/** Texts whose length counts characters, as databases and JSON Schema do: yup counts an emoji as two. */
export class TextSchema extends StringSchema {
  override min(min: Bound, message?: Message<'min'>): this {
    return bounded(this, { name: 'min', bound: min, message, fits: (length, least) => length >= least })
  }

  override max(max: Bound, message?: Message<'max'>): this {
    return bounded(this, { name: 'max', bound: max, message, fits: (length, most) => length <= most })
  }

  override length(length: Bound, message?: Message<'length'>): this {
    return bounded(this, { name: 'length', bound: length, message, fits: (own, wanted) => own === wanted })
  }

  /** The expression of yup takes twice as long for each dot of a host that does not end well. */
  override url(message: Parameters<StringSchema['url']>[0] = defaultLocale.string?.url as string): this {
    return this.test({
      name: 'url',
      exclusive: true,
      message,
      skipAbsent: true,
      test: (value) => value === '' || isUrl(value as string),
    })
  }
}

interface Bounded {
  readonly name: Name
  readonly bound: Bound
  readonly message: Message<Name> | undefined
  readonly fits: (length: number, bound: number) => boolean
}

const bounded = <S extends StringSchema>(schema: S, { name, bound, message, fits }: Bounded): S =>
  schema.test({
    name,
    exclusive: true,
    message: (message ?? defaultLocale.string?.[name]) as string,
    params: { [name]: bound },
    skipAbsent: true,
    test(value) {
      return fits([...(value as string)].length, this.resolve(bound))
    },
  })

/**
 * A number, or a decimal as documents write it; or a reference to the field that has it.
 *
 * @internal
 */
export type DecimalBound = number | string | Reference<number> | Reference<string>

/**
 * Decimals as documents write them: `min` and `max` compare numbers, not the length of texts.
 *
 * @internal
 */
export class DecimalSchema<T extends Maybe<string> = string | undefined> extends StringSchema<T> {
  override min(min: DecimalBound, message?: string): this {
    return compared(this, { name: 'min', bound: min, message, fits: (value, least) => value.gte(least) })
  }

  override max(max: DecimalBound, message?: string): this {
    return compared(this, { name: 'max', bound: max, message, fits: (value, most) => value.lte(most) })
  }

  /** More than 0. */
  positive(message?: string): this {
    return tested(this, { name: 'positive', message, params: {} }, (value) => value.gt(0))
  }

  /** At most so many digits behind the point; zeros at the end do not count. */
  scale(scale: number, message?: string): this {
    return tested(this, { name: 'scale', message, params: { scale } }, (value) => value.decimalPlaces() <= scale)
  }

  override required(message?: string): DecimalSchema<NonNullable<T>> {
    return super.required(message) as unknown as DecimalSchema<NonNullable<T>>
  }

  override nullable(): DecimalSchema<T | null> {
    return super.nullable() as unknown as DecimalSchema<T | null>
  }
}

interface Named {
  readonly name: string
  readonly message: string | undefined
  readonly params: Readonly<Record<string, unknown>>
}

/** What is no decimal is the rule's own failure. */
const tested = <S extends StringSchema<Maybe<string>>>(
  schema: S,
  { name, message, params }: Named,
  fits: (value: Decimal) => boolean,
): S =>
  schema.test({
    name,
    params,
    exclusive: true,
    skipAbsent: true,
    ...(message !== undefined && { message }),
    test: (value) => !isDecimal(String(value)) || fits(new Decimal(value as string)),
  })

interface Compared {
  readonly name: 'min' | 'max'
  readonly bound: DecimalBound
  readonly message: string | undefined
  readonly fits: (value: Decimal, bound: Decimal) => boolean
}

const compared = <S extends StringSchema<Maybe<string>>>(schema: S, { name, bound, message, fits }: Compared): S => {
  const literal = typeof bound === 'object' ? bound : new Decimal(bound).toFixed()
  return schema.test({
    name,
    params: { [name]: literal, isNumber: true },
    exclusive: true,
    skipAbsent: true,
    ...(message !== undefined && { message }),
    test(value) {
      const other = this.resolve(literal as string | Reference<string>)
      if (!isDecimal(String(value)) || !isDecimal(String(other))) return true
      return fits(new Decimal(value as string), new Decimal(other))
    },
  })
}

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
