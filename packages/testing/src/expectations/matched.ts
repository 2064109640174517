import type { Compared } from './assertion.ts'
import { differences } from './differences.ts'
import { pairs } from './pairs.ts'

export interface Matching {
  /** What lines begin with: `data`. */
  readonly at: string
  /** Of what was found, the part that is compared. */
  readonly part: (found: unknown, wanted: unknown) => unknown
  /** Whether two items belong together, though they may differ; others are not compared. */
  readonly isNear: (found: unknown, wanted: unknown) => boolean
  /** What a line calls an item. */
  readonly name: (item: unknown) => string
  /** Whether there may be more than is expected. */
  readonly others: 'refused' | 'allowed'
}

type Items = readonly unknown[]

/** Compares lists whose order means nothing: each item with one of its own. */
export function matchInAnyOrder(found: Items, wanted: Items, how: Matching): Compared {
  const { at, isNear, name, others } = how
  const fitting = pairs(found, wanted, isFitting(how))
  // Those that fit are out of the way before what is left is compared.
  const left = [...found.keys()].filter((place) => !fitting.includes(place))
  const unmet = wanted.filter((_, i) => fitting[i] === null)
  const near = pairs(left, unmet, (place, each) => isNear(found[place], each))
  const lines = unmet.flatMap((each, i) => {
    const place = near[i] === null ? undefined : left[near[i] as number]
    return place === undefined ? [`${at}: ${name(each)} is missing`] : differencesAt(place, { found, each }, how)
  })
  const more = others === 'refused' ? left.filter((_, i) => !near.includes(i)) : []
  const unexpected = more.map((place) => `${at}: ${name(found[place])} was not expected`)
  return { found, expected: wanted, lines: [...lines, ...unexpected] }
}

/** Compares lists item by item. */
export function matchInOrder(found: Items, wanted: Items, how: Matching): Compared {
  const { at, isNear, name } = how
  if (found.length !== wanted.length) return matchInAnyOrder(found, wanted, how)
  const lines = wanted.flatMap((each, place) => differencesAt(place, { found, each }, how))
  if (lines.length === 0) return { found, expected: wanted, lines }
  const isInPlace = wanted.every((each, place) => isNear(found[place], each))
  const fitting = pairs(found, wanted, isFitting(how))
  const order = fitting.includes(null) && !isInPlace ? pairs(found, wanted, isNear) : fitting
  if (order.includes(null)) return isInPlace ? { found, expected: wanted, lines } : matchInAnyOrder(found, wanted, how)
  const [is, should] = [found.map(name), order.map((place) => name(found[place as number]))]
  return { found: is, expected: should, lines: [`${at}: the order is ${is.join(', ')}, expected ${should.join(', ')}`] }
}

interface Pair {
  readonly found: Items
  readonly each: unknown
}

const differencesAt = (place: number, { found, each }: Pair, { at, part }: Matching): readonly string[] =>
  differences(`${at}[${place}]`, part(found[place], each), each)

const isFitting =
  ({ part, isNear }: Matching) =>
  (found: unknown, wanted: unknown): boolean =>
    isNear(found, wanted) && differences('', part(found, wanted), wanted).length === 0
