import { defaultLocale, type Reference, StringSchema } from 'yup'
import { isUrl } from './values.ts'

type Bound = number | Reference<number>
type Name = 'min' | 'max' | 'length'
type Message<N extends Name> = Parameters<StringSchema[N]>[1]

/** Texts whose length is the number of their characters, as databases and JSON Schema count: yup takes an emoji for two. */
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
