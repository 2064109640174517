import type { Attribute } from '@prismapi/jsonapi/schema/resource-schema'
import { type FigureFunction, functionsOf, type Statistics } from '@prismapi/jsonapi/schema/statistics'
import type { Part } from './described.ts'

/** What can be asked of a type, by name: `*` stands for its resources. */
export const figuresOf = ({ aggregated }: Statistics): readonly (readonly [string, readonly FigureFunction[]])[] => [
  ['*', ['count']],
  ...[...aggregated].map(([name, attribute]: [string, Attribute]) => [name, functionsOf(attribute)] as const),
]

/** What groups can be ordered by. */
export const figureOrders = (statistics: Statistics): readonly string[] =>
  figuresOf(statistics)
    .flatMap(([name, functions]) => functions.map((each) => (name === '*' ? each : `${name}.${each}`)))
    .flatMap((name) => [name, `-${name}`])

/** Figures as documents have them, by attribute and function: those that a request names. */
export const figuresSchema = (statistics: Statistics): Part => ({
  type: 'object',
  description: 'The figures that were asked for, by attribute and function.',
  properties: Object.fromEntries(
    figuresOf(statistics).map(([name, functions]) => [
      name,
      { type: 'object', properties: Object.fromEntries(functions.map((each) => [each, figureSchema(each)])) },
    ]),
  ),
})

/** A large sum, what decimals make, and an instant are texts. */
const figureSchema = (name: FigureFunction): Part =>
  name === 'count' ? { type: 'integer' } : { type: ['number', 'string', 'null'] }
