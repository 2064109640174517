import fc from 'fast-check'
import type { Figures } from './reckon.ts'

/** What statistics of one type are asked with. */
export interface Type {
  /** Collections of it, the first of which has groups. */
  readonly at: readonly [string, ...string[]]
  readonly filters: readonly string[]
  readonly keys: readonly string[]
  /** All functions that fit, by attribute. */
  readonly figures: Figures
  /** `minimumGroup` of its schema class. */
  readonly minimum: number
}

/** A request for figures, and for groups where it names keys. */
export interface Asked {
  readonly type: Type
  readonly at: string
  readonly filter: string
  readonly keys: readonly string[]
  readonly figures: Figures
  /** A figure that groups are ordered by. */
  readonly order: { readonly name: string; readonly each: string; readonly isDescending: boolean } | null
}

/** Parts of an instant, each as a key. */
export const partsOf = (name: string) => ['year', 'month', 'week', 'day'].map((part) => `${name}:${part}`)

export const numeric = ['count', 'sum', 'avg', 'min', 'max']
export const instant = ['count', 'min', 'max']

export const arbitraryStats = (types: readonly Type[]): fc.Arbitrary<Asked> =>
  fc.constantFrom(...types).chain((type) => {
    const names = Object.keys(type.figures)
    const functions = (name: string) => fc.subarray([...(type.figures[name] ?? [])], { minLength: 1 })
    const orders = names.flatMap((name) => (type.figures[name] ?? []).map((each) => ({ name, each })))
    const order = fc.record({ by: fc.constantFrom(...orders), isDescending: fc.boolean() })
    return fc.record({
      type: fc.constant(type),
      at: fc.constantFrom(...type.at),
      filter: fc.constantFrom(...type.filters),
      keys: fc.subarray([...type.keys], { maxLength: Math.min(4, type.keys.length) }),
      figures: fc
        .subarray(names, { minLength: 1 })
        .chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, functions(name)])))),
      order: fc.option(order.map(({ by, isDescending }) => ({ ...by, isDescending }))),
    })
  })

/** The request; groups have nothing but a URL of the whole type. */
export function urlOf({ type, at, filter, keys, figures, order }: Asked): string {
  const stats = Object.entries(figures).map(([name, all]) => `withStats[${name}]=${all.join()}`)
  const query = [...stats, ...(filter ? [filter] : [])]
  if (keys.length === 0) return `${at}?${query.join('&')}`
  const sort = order ? [`sort=${order.isDescending ? '-' : ''}${nameOf(order)}`] : []
  return `${type.at[0]}/-stats?${[`groupBy=${keys.join()}`, ...query, ...sort, 'page[size]=1000'].join('&')}`
}

const nameOf = ({ name, each }: { readonly name: string; readonly each: string }): string =>
  name === '*' ? each : `${name}.${each}`

/** The errors of a request that names what its caller sees in no row: those of a field without statistics. */
export function refused({ keys, figures, order }: Asked, unseen: readonly string[]): readonly object[] {
  const isUnseen = (name: string) => unseen.includes(name)
  const error = (parameter: string, detail: string) => ({ status: '400', source: { parameter }, detail })
  return [
    ...keys.filter(isUnseen).map((key) => error('groupBy', `Group parameter ${key} is not allowed.`)),
    ...Object.keys(figures)
      .filter(isUnseen)
      .map((name) => error(`withStats[${name}]`, `Field ${name} has no statistics.`)),
    ...(keys.length > 0 && order && isUnseen(order.name)
      ? [error('sort', `Sort parameter ${nameOf(order)} is not allowed.`)]
      : []),
  ]
}
