import { memo } from '@prismapi/jsonapi/model/memo'
import { type ParameterSubject, parametersFor } from '@prismapi/jsonapi/query/query-parameter'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { type Described, type Part, parameterRef } from './described.ts'
import { fieldFilters, filterParameters, openFilter, trashedParameter } from './filter-parameters.ts'
import { includeParameters, linkageInclude, resourceInclude } from './include-parameter.ts'
import { listParameter, type ParameterParts, pageParameters, shownAttributes } from './parameter.ts'
import { sharedParameter } from './shared-parts.ts'
import { sortParameter } from './sort-parameter.ts'
import { statsParameters } from './stats-parameters.ts'

/** The parameters that operations refer to by name, made in steps. Those that several types share are shared parts. */
export function* allParameters(server: Described): Generator<undefined, ParameterParts> {
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the resource.',
    schema: { type: 'string' },
  }
  const types = [...server.schemas.byType.values()]
  const all: Record<string, Part> = {
    id,
    fields: fieldsOfTypes(types),
    filter: openFilter,
    include: linkageInclude(server),
    ...featureParameters(server),
  }
  for (const schema of types) {
    const { own } = collectionsOf(server, schema)
    Object.assign(all, includeParameters(server, schema), own, countParameters(schema), statsParameters(schema))
    yield
  }
  return all
}

/** Works out, type by type, what every path to a collection shares: the first of them would wait for all. */
export function* makeAllCollections(server: Described): Generator<undefined, void> {
  for (const schema of server.schemas.byType.values()) {
    collectionsOf(server, schema)
    yield
  }
}

/** Those that features have. */
const featureParameters = ({ features }: Described): ParameterParts =>
  Object.fromEntries(features.parameters.map(({ name, openapi }) => [name, { name, in: 'query', ...openapi }]))

const featureRefs = ({ features }: Described, subject: ParameterSubject): readonly Part[] =>
  parametersFor(features.parameters, subject).map(({ name }) => parameterRef(name))

/** Sparse fieldsets of all types. A client that writes no list inside of an object writes the comma list itself. */
const fieldsOfTypes = (types: readonly ResourceSchema[]): Part => ({
  name: 'fields',
  in: 'query',
  description:
    'The fields of each type that are shown; all by default. A comma list each: `fields[<type>]=<field>,<field>`.',
  style: 'deepObject',
  explode: true,
  schema: {
    type: 'object',
    properties: Object.fromEntries(
      types.map((schema) => [
        schema.type,
        { type: ['string', 'array'], items: { type: 'string', enum: fieldNames(schema) } },
      ]),
    ),
  },
})

/** All that can be asked of a type, each by the whole name that a query has: `filter[title][contains]`. */
export const typeParameters = (server: Described, schema: ResourceSchema): ParameterParts => ({
  [`fields.${schema.type}`]: listParameter(
    `fields[${schema.type}]`,
    { type: 'string', enum: fieldNames(schema) },
    { description: 'The fields that are shown; all by default.' },
  ),
  ...includeParameters(server, schema),
  ...filterParameters(server, schema),
  ...trashedParameter(server, schema),
  ...sortParameter(server, schema, server.audience),
  ...pageParameters(schema),
  ...countParameters(schema),
  ...statsParameters(schema),
})

const fieldNames = (schema: ResourceSchema): readonly string[] => [
  ...shownAttributes(schema).map(({ name }) => name),
  ...schema.relations.keys(),
]

/** What orders, narrows and cuts collections of a type. */
interface Collections {
  readonly filters: readonly Part[]
  readonly order: readonly Part[]
  /** Those that no other type has. */
  readonly own: ParameterParts
}

// Every path that leads to the type has them. What is shown of a schema belongs to one document.
const known = new WeakMap<ResourceSchema, Collections>()

function collectionsOf(server: Described, schema: ResourceSchema): Collections {
  const made = known.get(schema) ?? makeCollections(server, schema)
  known.set(schema, made)
  return made
}

function makeCollections(server: Described, schema: ResourceSchema): Collections {
  const trashed = trashedParameter(server, schema)
  const sort = sortParameter(server, schema, server.audience)
  return {
    own: { ...trashed, ...sort },
    filters: [...fieldFilters(server, schema), ...Object.keys(trashed).map(parameterRef)],
    order: [
      ...Object.keys(sort).map(parameterRef),
      ...Object.entries(pageParameters(schema)).map(([name, part]) =>
        sharedParameter(server, part, `pages.${name.split('.').at(-1)}`),
      ),
    ],
  }
}

/** The filters of a type, at the URLs that are its own. */
export const filterRefs = (server: Described, schema: ResourceSchema): readonly Part[] =>
  collectionsOf(server, schema).filters

/** What orders, narrows and cuts collections at the URL of the type. */
export function collectionRefs(server: Described, schema: ResourceSchema): readonly Part[] {
  const { filters, order } = collectionsOf(server, schema)
  return [...filters, ...order]
}

/**
 * The same at the URLs of relations. They list the filters again only if the caller may not ask the URL of the type.
 */
export function relatedRefs(server: Described, schema: ResourceSchema): readonly Part[] {
  const { filters, order } = collectionsOf(server, schema)
  return [...(server.audience.has(`${schema.type}.viewAny`) ? [parameterRef('filter')] : filters), ...order]
}

/** What can be asked of an answer whose primary data are resources of these types, or one of them. */
export const resourceRefs = (
  server: Described,
  schemas: readonly ResourceSchema[],
  isCollection = false,
): readonly Part[] => [
  ...resourceInclude(server, schemas),
  parameterRef('fields'),
  ...countRefs(schemas),
  ...featureRefs(server, { schemas, isCollection, isRelationship: false }),
]

/** What can be asked of an answer whose primary data are the identifiers of a relation, which have no fields. */
export const linkageRefs = (server: Described, relation: Relation, isCollection: boolean): readonly Part[] => [
  ...(relation.isIncludable ? [parameterRef('include')] : []),
  ...featureRefs(server, { schemas: targetSchemas(server.schemas, relation), isCollection, isRelationship: true }),
]

const countable = memo(({ relations }: ResourceSchema): readonly string[] =>
  [...relations.values()].flatMap((each) => (isToMany(each) && each.isCountable ? [each.name] : [])),
)

const countParameters = (schema: ResourceSchema): ParameterParts => {
  const names = countable(schema)
  return names.length > 0 ? { [`withCount.${schema.type}`]: countParameter(names) } : {}
}

function countRefs(schemas: readonly ResourceSchema[]): readonly Part[] {
  const [only, ...others] = schemas
  const names = [...new Set(schemas.flatMap(countable))]
  if (names.length === 0) return []
  return [only && others.length === 0 ? parameterRef(`withCount.${only.type}`) : countParameter(names)]
}

const countParameter = (names: readonly string[]): Part =>
  listParameter(
    'withCount',
    { type: 'string', enum: names },
    { description: 'Relations whose resources are counted; their `meta.count` has the number.' },
  )
