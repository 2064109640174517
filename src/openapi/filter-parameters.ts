import { idOperators, operatorsOf, takesList } from '../query/filter-operators.ts'
import type { Deprecation } from '../schema/deprecation.ts'
import type { DeclaredFilter } from '../schema/filters.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import type { Attribute, ResourceSchema } from '../schema/resource-schema.ts'
import type { Shared } from './compact.ts'
import { deprecatedPart } from './deprecations.ts'
import { type Described, type DescribedServer, described, type Part, schemaRef } from './described.ts'
import {
  attributeSentences,
  declaredListSentences,
  declaredSentences,
  type FilterSentences,
  filterSentence,
  listSentences,
  nounOf,
  toManySentences,
  toOneSentences,
  type ValueNoun,
} from './filter-sentences.ts'
import { anyOf } from './linkage.ts'
import { type ParameterParts, shownAttributes } from './parameter.ts'
import { ruleSchema } from './rule-schema.ts'
import { valueSchema } from './value-schema.ts'

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

/** The same filters as one parameter: what fields of one kind compare with is said once in the document. */
export function filterFamily(server: DescribedServer, schema: ResourceSchema, { schemas }: Shared): ParameterParts {
  const compared = fieldsOf(server, schema).filter((field) => formsOf(field).length > 0)
  const properties = compared.map((field) => {
    const { documentation, deprecation, ...form } = field
    const parts = { ...described(documentation), ...deprecatedPart(deprecation ?? null) }
    const name = schemas.nameOf(comparisons(form, server.limits.filterValues))
    return [field.name, { ...schemaRef(name), ...parts }] as const
  })
  return {
    [`filter.${schema.type}`]: {
      name: 'filter',
      in: 'query',
      description: 'Conditions on fields, all of which hold.',
      style: 'deepObject',
      explode: true,
      schema: { type: 'object', properties: Object.fromEntries(properties) },
    },
  }
}

/** A value by itself, and values by operator. */
function comparisons(field: Field, maxItems: number): Part {
  const forms = formsOf(field).map((operator) => {
    const { sentences, ...compared } = field
    const description = filterSentence(sentences, operator, { ...compared, name: 'it' })
    return [operator, { ...(filterParameter(field, operator, maxItems).schema as Part), description }] as const
  })
  const byOperator = forms.flatMap(([operator, schema]) => (operator === null ? [] : [[operator, schema] as const]))
  const alone = forms.flatMap(([operator, schema]) => (operator === null ? [schema] : []))
  const operators = { type: 'object', properties: Object.fromEntries(byOperator) }
  return anyOf([...alone, ...(byOperator.length > 0 ? [operators] : [])])
}

const fieldsOf = ({ resources }: DescribedServer, schema: ResourceSchema): readonly Field[] => [
  { ...ofIds, name: 'id', sentences: attributeSentences, operators: idOperators(schema.id) },
  ...shownAttributes(schema).map((attribute) => attributeField(attribute, operatorsOf(attribute, resources.provider))),
  ...[...schema.relations.values()].flatMap((relation) => relationField(schema, relation)),
  ...[...schema.filters.values()].map(declaredField),
]

/** How a field is filtered by: without an operator (null), and with each of them. */
const formsOf = ({ isBare, operators }: Field): readonly (string | null)[] => [...(isBare ? [null] : []), ...operators]

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
