import { Decimal } from '@prisma/client/runtime/client'
import { type Maybe, type Reference, StringSchema } from 'yup'
import { isDecimal } from './values.ts'

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
