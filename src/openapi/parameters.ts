import { isToMany, type Relation, type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import { type Described, type Part, parameterRef } from './described.ts'
import { filterParameters } from './filter-parameters.ts'
import { pageParameters } from './page-parameters.ts'
import { listParameter, type ParameterParts, shownAttributes } from './parameter.ts'
import { sortParameter } from './sort-parameter.ts'

/** The parameters of every type, and the id of a path. */
export function allParameters(server: Described): ParameterParts {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  return Object.assign({ id }, ...[...server.schemas.byType.values()].map((schema) => parametersOf(server, schema)))
}

function parametersOf(server: Described, schema: ResourceSchema): ParameterParts {
  const { type } = schema
  return {
    [`fields.${type}`]: listParameter(`fields[${type}]`, { type: 'string', enum: fieldNames(schema) }),
    ...collectionParameters(server, schema),
  }
}

// Every path that leads to the type refers to them. A schema never changes, and belongs to one server.
const made = new WeakMap<ResourceSchema, ParameterParts>()

function collectionParameters(server: Described, schema: ResourceSchema): ParameterParts {
  const parameters = made.get(schema) ?? {
    ...filterParameters(server, schema),
    ...sortParameter(server, schema),
    ...pageParameters(schema),
  }
  made.set(schema, parameters)
  return parameters
}

const fieldNames = (schema: ResourceSchema): readonly string[] => [
  ...shownAttributes(schema).map(({ name }) => name),
  ...schema.relations.keys(),
]

/** What orders, narrows and cuts collections of the type. */
export const collectionRefs = (server: Described, schema: ResourceSchema): readonly Part[] =>
  Object.keys(collectionParameters(server, schema)).map(parameterRef)

/** What can be asked of an answer whose primary data are resources of these types. */
export function resourceRefs(server: Described, schemas: readonly ResourceSchema[]): readonly Part[] {
  const counts = schemas.flatMap(({ relations }) =>
    [...relations.values()].filter((relation) => isToMany(relation) && relation.isCountable),
  )
  return [
    ...includeParameter(
      server,
      schemas.flatMap(({ relations }) => [...relations.values()]),
    ),
    ...fieldRefs(server, schemas),
    ...(counts.length > 0 ? [listParameter('withCount', { type: 'string', enum: namesOf(counts) })] : []),
  ]
}

/** What can be asked of an answer whose primary data are the identifiers of a relation. */
export const linkageRefs = (server: Described, relation: Relation): readonly Part[] => [
  ...includeParameter(server, [relation]),
  ...fieldRefs(server, targetSchemas(server.schemas, relation)),
]

function includeParameter({ limits }: Described, relations: readonly Relation[]): readonly Part[] {
  const names = namesOf(relations.filter(({ isIncludable }) => isIncludable))
  if (names.length === 0) return []
  const rest = limits.includeDepth > 1 ? `(?:\\.[^.,]+){0,${limits.includeDepth - 1}}` : ''
  const description = `Paths of relations that begin with one of ${names.join(', ')}.`
  return [listParameter('include', { type: 'string', pattern: `^(?:${names.join('|')})${rest}$` }, { description })]
}

const namesOf = (relations: readonly Relation[]): readonly string[] => [...new Set(relations.map(({ name }) => name))]

// Every type may be named, but those that are further away would be most of a large server, on every path of it.
function fieldRefs(server: Described, schemas: readonly ResourceSchema[]): readonly Part[] {
  const near = schemas.flatMap(({ relations }) =>
    [...relations.values()].flatMap((relation) => targetSchemas(server.schemas, relation)),
  )
  return [...new Set([...schemas, ...near])].map(({ type }) => parameterRef(`fields.${type}`))
}
