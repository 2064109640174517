import {
  idOperators,
  type ListOperator,
  operatorsOf,
  type ScalarOperator,
  takesList,
} from '@prismapi/jsonapi/query/filter-operators'
import type { Deprecation } from '@prismapi/jsonapi/schema/deprecation'
import type { DeclaredFilter } from '@prismapi/jsonapi/schema/filters'
import { upperFirst } from '@prismapi/jsonapi/schema/naming'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, AttributeKind, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { deprecatedPart } from './deprecations.ts'
import { type Described, type DescribedServer, type Part, schemaRef } from './described.ts'
import { anyOf } from './linkage.ts'
import { type ParameterParts, shownAttributes } from './parameter.ts'
import { sharedParameter } from './shared-parts.ts'
import { ruleSchema, valueSchema } from './value-schema.ts'

interface Field {
  readonly name: string
  /** One value. */
  readonly value: Part
  readonly noun: ValueNoun
  readonly isNullable: boolean
  readonly sentences: FilterSentences
  readonly operators: readonly string[]
  /** Without an operator it takes values, too. */
  readonly isBare: boolean
  readonly isList?: boolean
  readonly documentation?: string | null
  readonly deprecation?: Deprecation | null
}

/** The filters of a type's own fields; paths that lead further, and groups, are too many to be listed. */
export function filterParameters(server: DescribedServer, schema: ResourceSchema): ParameterParts {
  const entries = fieldsOf(server, schema).flatMap((field) =>
    formsOf(field).map((operator, i) => {
      const key = operator === null ? field.name : `${field.name}.${operator}`
      const told = i === 0 ? field : { ...field, documentation: null }
      return [`filter.${schema.type}.${key}`, filterParameter(told, operator, server.limits.filterValues)] as const
    }),
  )
  return Object.fromEntries(entries)
}

/**
 * The same filters by field: `filter[title]` and `filter[title][contains]` are a parameter each. Types share a
 * parameter where their fields look alike, so the operators of one kind of field are written once.
 */
export const fieldFilters = (server: Described, schema: ResourceSchema): readonly Part[] =>
  fieldsOf(server, schema).flatMap((field) =>
    formsOf(field).length > 0 ? [sharedParameter(server, fieldFilter(server, field), `filters.${field.name}`)] : [],
  )

function fieldFilter(server: Described, field: Field): Part {
  const { name, documentation, deprecation, ...form } = field
  // An application's own filter takes a value, or a list.
  if (form.operators.length === 0) return filterParameter(field, null, server.limits.filterValues)
  return {
    name: `filter[${name}]`,
    in: 'query',
    description: documentation || `Conditions on \`${name}\`.`,
    ...deprecatedPart(deprecation ?? null),
    style: 'deepObject',
    explode: true,
    schema: comparisons(server, form),
  }
}

/** Any filters, where the document does not list them. */
export const openFilter: Part = {
  name: 'filter',
  in: 'query',
  description:
    'Conditions on the resources, all of which hold: `filter[<field>]=<value>` and `filter[<field>][<operator>]=<value>`, as at the URL of their type.',
  style: 'deepObject',
  explode: true,
  schema: { type: 'object', additionalProperties: true },
}

type Form = Omit<Field, 'name' | 'documentation' | 'deprecation'>

/** A value by itself, and values by operator. */
function comparisons({ limits, shared }: Described, field: Form): Part {
  const { sentences, ...compared } = field
  const forms = formsOf(field).map((operator) => {
    const { schema } = filterParameter({ ...field, name: '' }, operator, limits.filterValues)
    const description = filterSentence(sentences, operator, { ...compared, name: 'it' })
    return [operator, { ...(schema as Part), description }] as const
  })
  const alone = forms.flatMap(([operator, schema]) => (operator === null ? [schema] : []))
  const byOperator = forms.flatMap(([operator, schema]) => (operator === null ? [] : [[operator, schema] as const]))
  const operators = { type: 'object', properties: Object.fromEntries(byOperator) }
  const description = 'A value, or values by operators.'
  return schemaRef(
    shared.schemas.hashedNameOf({ description, ...anyOf([...alone, operators]) }, `filter-${field.noun}`),
  )
}

const fieldsOf = ({ resources }: DescribedServer, schema: ResourceSchema): readonly Field[] => [
  { ...ofIds, name: 'id', sentences: attributeSentences, operators: idOperators(schema.id) },
  ...shownAttributes(schema).map((attribute) => attributeField(attribute, operatorsOf(attribute, resources.provider))),
  ...[...schema.relations.values()].flatMap((relation) => relationField(schema, relation)),
  ...[...schema.filters.values()].map(declaredField),
]

/** How a field is filtered by: without an operator (null), and with each of them. */
const formsOf = ({ isBare, operators }: Form): readonly (string | null)[] => [...(isBare ? [null] : []), ...operators]

/** For who sees deleted rows. */
export const trashedParameter = ({ audience }: Described, { type, model }: ResourceSchema): ParameterParts =>
  audience.seesTrash(model.name)
    ? {
        [`filter.${type}.trashed`]: {
          name: 'filter[trashed]',
          in: 'query',
          description:
            'Whether deleted resources are shown: `with` the others, `only` these, or not (`without`, the default).',
          schema: { type: 'string', enum: ['with', 'only', 'without'] },
        },
      }
    : {}

const text: Part = { type: 'string' }
const ofIds = { value: text, noun: 'id', isNullable: false, isBare: true } as const

const attributeField = (attribute: Attribute, operators: readonly string[]): Field => ({
  name: attribute.name,
  value: attribute.isConverted ? text : valueSchema(attribute.kind, attribute.column, attribute.values),
  noun: attribute.isConverted ? 'value' : nounOf(attribute.kind),
  isNullable: attribute.isNullable,
  sentences: attribute.isList ? listSentences : attributeSentences,
  operators,
  isBare: operators.includes('equals'),
  isList: attribute.isList,
  documentation: attribute.column?.documentation ?? null,
  deprecation: attribute.deprecation,
})

/** By the ids of what it leads to, or by whether it leads anywhere. */
function relationField({ model }: ResourceSchema, relation: Relation): readonly Field[] {
  if (relation.kind === 'morphTo') return []
  const { name, field, deprecation } = relation
  const sentences = isToMany(relation) ? toManySentences : toOneSentences
  const documentation = model.relations[field]?.documentation ?? null
  return [{ ...ofIds, name, sentences, operators: Object.keys(sentences), documentation, deprecation }]
}

const declaredField = ({ name, kind, values, rule, isList, description, deprecation }: DeclaredFilter): Field => ({
  name,
  value: rule ? ruleSchema(rule.describe()) : values ? { type: 'string', enum: values } : valueSchema(kind, null, null),
  noun: rule || values ? 'value' : nounOf(kind),
  isNullable: false,
  sentences: isList ? declaredListSentences : declaredSentences,
  operators: [],
  isBare: true,
  isList,
  documentation: description,
  deprecation,
})

const flags: ReadonlySet<string> = new Set(['isNull', 'isEmpty', 'exists'])

function filterParameter(field: Field, operator: string | null, maxItems: number): Part {
  const { name, value, operators, isList = false } = field
  const isDeclared = operators.length === 0
  const takesMany =
    operator === null ? isList || !isDeclared : takesList.has(operator) || (isList && operator === 'equals')
  const key = operator === null ? `filter[${name}]` : `filter[${name}][${operator}]`
  const one = operator !== null && flags.has(operator) ? { type: 'boolean' } : value
  const sentence = filterSentence(field.sentences, operator, { ...field, name: `\`${name}\`` })
  return {
    name: key,
    in: 'query',
    description: field.documentation ? `${sentence} ${field.documentation}` : sentence,
    ...deprecatedPart(field.deprecation ?? null),
    ...(takesMany
      ? { style: 'form', explode: false, schema: { type: 'array', items: one, minItems: 1, maxItems } }
      : { schema: one }),
  }
}

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
function filterSentence(sentences: FilterSentences, operator: string | null, compared: Compared): string {
  const sentence = sentences[operator ?? 'in']
  if (!sentence) throw new Error(`The operator ${operator ?? 'in'} has no sentence in filter-sentences.ts.`)
  return `${upperFirst(sentence(compared))}.`
}

const numbers: ReadonlySet<AttributeKind> = new Set(['integer', 'bigint', 'float', 'decimal'])

function nounOf(kind: AttributeKind): ValueNoun {
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
const attributeSentences: FilterSentences<ScalarOperator> = {
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

const listSentences: FilterSentences<ListOperator | 'in'> = {
  in: isList,
  equals: isList,
  has: ({ name, noun }) => `${name} has this ${noun}`,
  hasSome: ({ name, noun }) => `${name} has at least one of these ${noun}s`,
  hasEvery: ({ name, noun }) => `${name} has all of these ${noun}s`,
  isEmpty: ({ name }) => `whether ${name} is empty`,
}

const exists = ({ name }: Compared) => `whether ${name} leads to a resource`

const toOneSentences: FilterSentences = {
  equals: ({ name }) => `${name} has this id`,
  in: ({ name }) => `${name} has one of these ids`,
  not: ({ name }) => `${name} has an id, and it is not this one`,
  notIn: ({ name }) => `${name} has an id, and it is none of these`,
  exists,
  isNull: ({ name }) => `whether ${name} leads to no resource`,
}

const toManySentences: FilterSentences = {
  equals: ({ name }) => `${name} has a resource with this id`,
  in: ({ name }) => `${name} has a resource with one of these ids`,
  exists,
}

const own = ({ name }: Compared, takes: string) => `${name} is this API's own filter, and takes ${takes}`

/** What a filter of the schema class finds, only the application knows. */
const declaredSentences: FilterSentences = { in: (compared) => own(compared, `one ${compared.noun}`) }
const declaredListSentences: FilterSentences = { in: (compared) => own(compared, `${compared.noun}s`) }
