import type { ListOperator, ScalarOperator } from '@prismapi/jsonapi/query/filter-operators'
import { upperFirst } from '@prismapi/jsonapi/schema/naming'
import type { AttributeKind } from '@prismapi/jsonapi/schema/resource-schema'

/** What the values of a filter are called. */
export type ValueNoun = 'text' | 'number' | 'instant' | 'value' | 'id'

/** What is compared: `name` stands for it in the sentence. */
interface Compared {
  readonly name: string
  readonly noun: ValueNoun
  readonly isNullable: boolean
}

type Sentence = (compared: Compared) => string

/** Which resources a filter finds, by its operator; `in` without one. */
export type FilterSentences<Operator extends string = string> = Readonly<Record<Operator, Sentence>>

/**
 * Which resources a filter finds: "`title` contains this text."
 * @throws {Error} for an operator that the table lacks, since a description must not be empty.
 */
export function filterSentence(sentences: FilterSentences, operator: string | null, compared: Compared): string {
  const sentence = sentences[operator ?? 'in']
  if (!sentence) throw new Error(`The operator ${operator ?? 'in'} has no sentence in filter-sentences.ts.`)
  return `${upperFirst(sentence(compared))}.`
}

const numbers: ReadonlySet<AttributeKind> = new Set(['integer', 'bigint', 'float', 'decimal'])

export function nounOf(kind: AttributeKind): ValueNoun {
  if (numbers.has(kind)) return 'number'
  if (kind === 'datetime') return 'instant'
  return kind === 'string' ? 'text' : 'value'
}

/** Texts and ids have no size, but an order. */
const ordered =
  (number: string, instant: string, other: (value: string) => string) =>
  ({ name, noun }: Compared): string => {
    if (noun === 'number') return `${name} is ${number} this number`
    return `${name} ${noun === 'instant' ? `is ${instant} this instant` : other(`this ${noun}`)}`
  }

const search =
  (verb: string, more = '') =>
  ({ name }: Compared) =>
    `${name} ${verb} this text${more}`
const ignoringCase = ', ignoring case'

/** `npx tsc` asks for the sentence of each operator that attributes offer. */
export const attributeSentences: FilterSentences<ScalarOperator> = {
  equals: ({ name, noun }) => `${name} is this ${noun}`,
  in: ({ name, noun }) => `${name} is one of these ${noun}s`,
  not: ({ name, noun, isNullable }) =>
    `${name} is ${isNullable ? `neither this ${noun} nor null` : `not this ${noun}`}`,
  notIn: ({ name, noun, isNullable }) =>
    `${name} is ${isNullable ? `neither null nor one of these ${noun}s` : `none of these ${noun}s`}`,
  lt: ordered('less than', 'before', (value) => `comes before ${value}`),
  lte: ordered('at most', 'at or before', (value) => `is ${value} or comes before it`),
  gt: ordered('more than', 'after', (value) => `comes after ${value}`),
  gte: ordered('at least', 'at or after', (value) => `is ${value} or comes after it`),
  contains: search('contains'),
  startsWith: search('begins with'),
  endsWith: search('ends with'),
  iequals: search('is', ignoringCase),
  icontains: search('contains', ignoringCase),
  istartsWith: search('begins with', ignoringCase),
  iendsWith: search('ends with', ignoringCase),
  isNull: ({ name }) => `whether ${name} is null`,
}

const isList = ({ name, noun }: Compared) => `${name} is exactly these ${noun}s, in this order`

export const listSentences: FilterSentences<ListOperator | 'in'> = {
  in: isList,
  equals: isList,
  has: ({ name, noun }) => `${name} has this ${noun}`,
  hasSome: ({ name, noun }) => `${name} has at least one of these ${noun}s`,
  hasEvery: ({ name, noun }) => `${name} has all of these ${noun}s`,
  isEmpty: ({ name }) => `whether ${name} is empty`,
}

const exists = ({ name }: Compared) => `whether ${name} leads to a resource`

export const toOneSentences: FilterSentences = {
  equals: ({ name }) => `${name} has this id`,
  in: ({ name }) => `${name} has one of these ids`,
  not: ({ name }) => `${name} has an id, and it is not this one`,
  notIn: ({ name }) => `${name} has an id, and it is none of these`,
  exists,
  isNull: ({ name }) => `whether ${name} leads to no resource`,
}

export const toManySentences: FilterSentences = {
  equals: ({ name }) => `${name} has a resource with this id`,
  in: ({ name }) => `${name} has a resource with one of these ids`,
  exists,
}

const own = ({ name }: Compared, takes: string) => `${name} is this API's own filter, and takes ${takes}`

/** What a filter of the schema class finds, only the application knows. */
export const declaredSentences: FilterSentences = { in: (compared) => own(compared, `one ${compared.noun}`) }
export const declaredListSentences: FilterSentences = { in: (compared) => own(compared, `${compared.noun}s`) }
