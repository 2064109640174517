import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import { type Described, type Part, parameterRef } from './described.ts'
import { filterFamily, filterParameters, trashedParameter } from './filter-parameters.ts'
import { includeParameters, linkageInclude, resourceInclude } from './include-parameter.ts'
import { pageFamily, pageParameters } from './page-parameters.ts'
import { listParameter, type ParameterParts, shownAttributes } from './parameter.ts'
import { sortParameter } from './sort-parameter.ts'

/** The parameters of every type, and the id of a path. */
export function allParameters(server: Described): ParameterParts {
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the resource.',
    schema: { type: 'string' },
  }
  const types = [...server.schemas.byType.values()]
  return Object.assign(
    { id, ...(server.shared && { fields: allFields(types) }) },
    ...types.map((schema) => typeParameters(server, schema)),
  )
}

/** Sparse fieldsets of all types as one parameter. */
const allFields = (types: readonly ResourceSchema[]): Part => ({
  name: 'fields',
  in: 'query',
  description:
    'The fields of each type that are shown; all by default: a comma list each, `fields[<type>]=<field>,<field>`.',
  style: 'deepObject',
  explode: true,
  schema: {
    type: 'object',
    properties: Object.fromEntries(
      types.map((schema) => [schema.type, { type: 'array', items: { type: 'string', enum: fieldNames(schema) } }]),
    ),
  },
})

/** Those of one type: their names have its own behind the first dot. */
export function typeParameters(server: Described, schema: ResourceSchema): ParameterParts {
  const { type } = schema
  return {
    ...(server.shared === null && {
      [`fields.${type}`]: listParameter(
        `fields[${type}]`,
        { type: 'string', enum: fieldNames(schema) },
        { description: 'The fields that are shown; all by default.' },
      ),
    }),
    ...includeParameters(server, schema),
    ...collectionParameters(server, schema).parameters,
  }
}

interface Made {
  readonly parameters: ParameterParts
  readonly refs: readonly Part[]
}

// Every path that leads to the type refers to them. What is shown of a schema belongs to one document.
const made = new WeakMap<ResourceSchema, Made>()

function collectionParameters(server: Described, schema: ResourceSchema): Made {
  const known = made.get(schema)
  if (known) return known
  const parameters = {
    ...(server.shared ? filterFamily(server, schema, server.shared) : filterParameters(server, schema)),
    ...trashedParameter(server, schema),
    ...sortParameter(server, schema, server.audience),
    ...(server.shared ? pageFamily(schema, server.shared) : pageParameters(schema)),
  }
  const all = { parameters, refs: Object.keys(parameters).map(parameterRef) }
  made.set(schema, all)
  return all
}

const fieldNames = (schema: ResourceSchema): readonly string[] => [
  ...shownAttributes(schema).map(({ name }) => name),
  ...schema.relations.keys(),
]

/** What orders, narrows and cuts collections of the type. */
export const collectionRefs = (server: Described, schema: ResourceSchema): readonly Part[] =>
  collectionParameters(server, schema).refs

/** What can be asked of an answer whose primary data are resources of these types. */
export function resourceRefs(server: Described, schemas: readonly ResourceSchema[]): readonly Part[] {
  const counts = schemas.flatMap(({ relations }) =>
    [...relations.values()].filter((relation) => isToMany(relation) && relation.isCountable),
  )
  return [
    ...resourceInclude(server, schemas),
    ...fieldRefs(server, schemas),
    ...(counts.length > 0 ? [countParameter(namesOf(counts))] : []),
  ]
}

const countParameter = (names: readonly string[]): Part =>
  listParameter(
    'withCount',
    { type: 'string', enum: names },
    { description: 'Relations whose resources are counted; their `meta.count` has the number.' },
  )

/** What can be asked of an answer whose primary data are the identifiers of a relation. */
export const linkageRefs = (server: Described, schema: ResourceSchema, relation: Relation): readonly Part[] => [
  ...linkageInclude(server, schema, relation),
  ...fieldRefs(server, targetSchemas(server.schemas, relation)),
]

const namesOf = (relations: readonly Relation[]): readonly string[] => [...new Set(relations.map(({ name }) => name))]

// Every type may be named, but those that are further away would be most of a large server, on every path of it.
function fieldRefs(server: Described, schemas: readonly ResourceSchema[]): readonly Part[] {
  if (server.shared) return [parameterRef('fields')]
  const near = schemas.flatMap(({ relations }) =>
    [...relations.values()].flatMap((relation) => targetSchemas(server.schemas, relation)),
  )
  return [...new Set([...schemas, ...near])].map(({ type }) => parameterRef(`fields.${type}`))
}
