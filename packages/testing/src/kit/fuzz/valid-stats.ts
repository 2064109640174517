import type { Statistics } from '@prismapi/jsonapi/schema/statistics'
import { figureOrders, figuresOf } from '@prismapi/openapi/figures'
import fc, { type Arbitrary } from 'fast-check'
import { groupKeys } from '../leaks/stats-urls.ts'
import type { Pair } from './valid-query.ts'

// What statistics can be asked for: figures of a collection, and of its groups.

/** Some figures, a parameter for each attribute. */
export function figureAsks(statistics: Statistics): Arbitrary<readonly Pair[]> {
  const figures = figuresOf(statistics).map(([name, functions]) =>
    fc.subarray([...functions], { minLength: 1 }).map((some): Pair => [`withStats[${name}]`, some.join(',')]),
  )
  return fc
    .uniqueArray(fc.nat({ max: figures.length - 1 }), { minLength: 1, maxLength: 2 })
    .chain((chosen) => fc.tuple(...chosen.map((at) => figures[at] as Arbitrary<Pair>)))
}

/** Keys, and perhaps figures, their order, and a page of the groups. */
export function groupAsks(statistics: Statistics): Arbitrary<readonly Pair[]> {
  const some = (pairs: Arbitrary<readonly Pair[]>) => fc.oneof(fc.constant<readonly Pair[]>([]), pairs)
  const one = (key: string, values: Arbitrary<unknown>) =>
    some(values.map((value): readonly Pair[] => [[key, `${value}`]]))
  const keys = fc.uniqueArray(fc.constantFrom(...groupKeys(statistics)), { minLength: 1, maxLength: 2 })
  return fc
    .tuple(
      keys.map((names): readonly Pair[] => [['groupBy', names.join(',')]]),
      some(figureAsks(statistics)),
      one('sort', fc.constantFrom(...figureOrders(statistics))),
      one('page[size]', fc.integer({ min: 1, max: 1000 })),
      one('page[number]', fc.integer({ min: 1, max: 5 })),
    )
    .map((parts) => parts.flat())
}
