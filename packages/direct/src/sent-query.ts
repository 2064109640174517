import { relationOperators } from '@prismapi/jsonapi/query/filter-path'
import type { Parameter } from '@prismapi/jsonapi/request/hook-context'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { idText, sentValue } from './sent-values.ts'

// Makes the parameters that a client would send of an application's query: so both are checked by the same code, with
// the same errors.

export interface QuerySent {
  readonly filter?: Readonly<Record<string, unknown>>
  readonly sort?: string | readonly string[]
  readonly include?: readonly string[]
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>>
  readonly page?: Readonly<Record<string, string | number>>
}

/** The parameters of a query about rows of a type. */
export function parametersSent(
  registry: SchemaRegistry,
  schema: ResourceSchema,
  query: QuerySent,
): readonly Parameter[] {
  const { filter, sort, include, fields, page } = query
  return [
    ...(include ? [parameter('include', [], include.join(','))] : []),
    ...Object.entries(fields ?? {}).flatMap(([model, names]) =>
      names ? [parameter('fields', [schemaOf(registry, model).type], names.join(','))] : [],
    ),
    ...(sort === undefined ? [] : [parameter('sort', [], [sort].flat().join(','))]),
    ...(filter ? [...groupOf({ registry, schema }, [], filter)] : []),
    ...Object.entries(page ?? {}).map(([name, value]) => parameter('page', [name], String(value))),
  ]
}

/** The query of an action: parameters by their names. */
export const inputSent = (input: Readonly<Record<string, unknown>>): readonly Parameter[] =>
  Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [parameter(name, [], textOf(value))]))

const parameter = (family: string, path: readonly string[], value: string): Parameter => ({
  key: family + path.map((name) => `[${name}]`).join(''),
  family,
  path,
  value,
})

const textOf = (value: unknown): string => {
  const sent = sentValue(value)
  return typeof sent === 'object' ? JSON.stringify(sent) : String(sent)
}

interface Filtered {
  readonly registry: SchemaRegistry
  readonly schema: ResourceSchema
}

type Conditions = Readonly<Record<string, unknown>>

const groups: ReadonlySet<string> = new Set(['and', 'or', 'not'])

/** Conditions that must all hold, behind the brackets of the groups that they stand in. */
function* groupOf(filtered: Filtered, before: readonly string[], filter: Conditions): Generator<Parameter> {
  for (const [name, value] of Object.entries(filter)) {
    if (groups.has(name) && Array.isArray(value)) {
      for (const [i, branch] of value.entries()) yield* groupOf(filtered, [...before, name, String(i)], branch)
    } else yield* fieldOf({ ...filtered, before, path: '' }, name, value)
  }
}

interface Place extends Filtered {
  readonly before: readonly string[]
  /** The relations on the way, each with a dot behind it. */
  readonly path: string
}

/** The conditions on a field: of a relation, those on its rows as well. */
function* fieldOf(place: Place, name: string, value: unknown): Generator<Parameter> {
  const { schema, path } = place
  const at = path + name
  const relation = schema.relations.get(name)
  if (relation && isConditions(value)) yield* relationOf({ ...place, path: at }, relation, value)
  else if (schema.attributes.get(name)?.kind === 'json' && isConditions(value)) yield* jsonOf(place, at, value)
  else if (isConditions(value))
    for (const [operator, operand] of Object.entries(value)) yield* clause(place, [at, operator], operand)
  else yield* clause(place, [at], value)
}

function* relationOf(place: Place, relation: Relation, conditions: Conditions): Generator<Parameter> {
  const { registry, path } = place
  if (relation.kind === 'morphTo') {
    for (const [operator, operand] of Object.entries(conditions)) yield* clause(place, [path, operator], operand)
    return
  }
  const schema = schemaOf(registry, relation.model)
  for (const [name, value] of Object.entries(conditions)) {
    if (relationOperators.has(name)) yield* clause(place, [path, name], value)
    else if (isToMany(relation) && quantifiers.has(name) && isConditions(value)) {
      for (const [field, each] of Object.entries(value))
        yield* fieldOf({ ...place, schema, path: `${path}.${name}.` }, field, each)
    } else yield* fieldOf({ ...place, schema, path: `${path}.` }, name, value)
  }
}

const quantifiers: ReadonlySet<string> = new Set(['some', 'every', 'none'])

/** Names inside of a Json attribute, as deep as they go; an operator ends the way. */
function* jsonOf(place: Place, at: string, conditions: Conditions): Generator<Parameter> {
  for (const [name, value] of Object.entries(conditions)) {
    if (isConditions(value)) yield* jsonOf(place, `${at}.${name}`, value)
    else if (jsonOperators.has(name)) yield* clause(place, [at, name], value)
    else yield* clause(place, [`${at}.${name}`], value)
  }
}

const jsonOperators: ReadonlySet<string> = new Set([
  ...['equals', 'not', 'in', 'notIn', 'lt', 'lte', 'gt', 'gte', 'isNull', 'exists'],
  ...['contains', 'startsWith', 'endsWith', 'iequals', 'icontains', 'istartsWith', 'iendsWith'],
])

/** One condition: null is asked for by `isNull`, and each value of a list stands for itself. */
function* clause({ before }: Place, path: readonly string[], value: unknown): Generator<Parameter> {
  const brackets = [...before, ...path]
  const operator = path[1]
  if (value === undefined || (Array.isArray(value) && value.length === 0)) {
    const what = value === undefined ? 'is undefined' : 'is an empty list'
    throw new Error(`filter: ${path.join('.')} ${what}. Leave it out, or ask nothing where no row is meant.`)
  }
  if (value === null && (operator === undefined || operator === 'equals' || operator === 'not'))
    yield parameter('filter', [...before, path[0] as string, 'isNull'], String(operator !== 'not'))
  else if (Array.isArray(value)) for (const each of value) yield parameter('filter', [...brackets, ''], valueText(each))
  else yield parameter('filter', brackets, operator === undefined ? escaped(valueText(value)) : valueText(value))
}

const valueText = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'id' in value ? idText(value) : textOf(value)

// A comma would separate two values.
const escaped = (text: string): string => text.replaceAll(',', '\\,')

/** Operators and conditions, and neither a value nor what names a row. */
const isConditions = (value: unknown): value is Conditions =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value)) &&
  !('id' in value && 'type' in value)
