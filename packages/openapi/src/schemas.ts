import { hasRule } from '@prismapi/core/validation/rules/infer-rules'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { collectionMeta, resourceMeta } from './can.ts'
import { deprecatedPart } from './deprecations.ts'
import { type Described, described, type Part, schemaRef } from './described.ts'
import { anyOf, relationshipSchemas, shownRelationship } from './linkage.ts'
import { wordsFor } from './names.ts'
import { shownAttributes } from './parameter.ts'
import { resourceBody } from './request-bodies.ts'
import { shownSchema } from './value-schema.ts'

type Schemas = Readonly<Record<string, Part>>

// The names of types have no dot, and those of what a type has begin with it and one, so that no name is another's.

/** The schemas that operations refer to, made in steps. */
export function* allSchemas(server: Described): Generator<undefined, Schemas> {
  const all = { ...sharedSchemas(server, includable(server)) }
  for (const schema of server.schemas.byType.values()) {
    Object.assign(all, typeSchemas(server, schema))
    yield
  }
  return Object.assign(all, server.shared.schemas.parts)
}

/** What answers may include: a part of a document tells of its types, and of those that their relations lead to. */
const includable = ({ schemas, told }: Described): readonly ResourceSchema[] => [
  ...new Set([
    ...told,
    ...told.flatMap(({ relations }) => [...relations.values()].flatMap((relation) => targetSchemas(schemas, relation))),
  ]),
]

export const resourceRef = ({ type }: Pick<ResourceSchema, 'type'>): Part => schemaRef(`${type}.resource`)

function typeSchemas(server: Described, schema: ResourceSchema): Schemas {
  const { type, operations } = schema
  const { all, any } = wordsFor(schema)
  const isWritten = (kind: 'create' | 'update') => operations.has(kind) && server.audience.has(`${type}.${kind}`)
  return {
    [`${type}.identifier`]: {
      type: 'object',
      description: `The type and the id of ${any}.`,
      required: ['type', 'id'],
      properties: { type: typeName(schema), id: text, meta: schemaRef('meta') },
    },
    ...relationshipSchemas(schema),
    [`${type}.resource`]: resourceSchema(server, schema),
    [`${type}.one`]: { description: `A document with ${any}.`, ...documentSchema(resourceRef(schema)) },
    [`${type}.many`]: {
      description: `A document with ${all}.`,
      ...documentSchema({ type: 'array', items: resourceRef(schema) }, collectionMeta(schema)),
    },
    ...(isWritten('create') && { [`${type}.create`]: resourceBody(server, schema, 'create') }),
    ...(isWritten('update') && { [`${type}.update`]: resourceBody(server, schema, 'update') }),
  }
}

const text: Part = { type: 'string' }
const typeName = ({ type }: ResourceSchema): Part => ({ type: 'string', const: type })

function resourceSchema(server: Described, schema: ResourceSchema): Part {
  const example = server.examples.get(schema.type)
  const attributes = shownAttributes(schema).map(
    (attribute) => [attribute.name, shownSchema(attribute, !hasRule(schema, attribute))] as const,
  )
  const relationships = [...schema.relations.values()].map(
    (relation) => [relation.name, shownRelationship(server, schema, relation)] as const,
  )
  return {
    type: 'object',
    ...described(schema.model.documentation),
    ...deprecatedPart(schema.deprecation),
    ...(example && { examples: [example] }),
    required: ['type', 'id'],
    properties: {
      type: typeName(schema),
      id: text,
      attributes: { type: 'object', properties: Object.fromEntries(attributes) },
      relationships: { type: 'object', properties: Object.fromEntries(relationships) },
      links: schemaRef('links'),
      meta: resourceMeta(schema),
    },
  }
}

/**
 * A document with primary data: the schema `document` and its known members, which generators look for in `required`.
 */
export const documentSchema = (data: Part, meta: Part | null = null): Part => ({
  allOf: [schemaRef('document')],
  required: ['data'],
  properties: { data, ...(meta && { meta }) },
})

function sharedSchemas({ version }: Described, types: readonly ResourceSchema[]): Schemas {
  const uris = { type: 'array', items: { type: 'string', format: 'uri' } }
  const link = { type: ['string', 'null'], format: 'uri' }
  const pointing = {
    pointer: { ...text, description: 'The place in the document, as a JSON Pointer.' },
    parameter: { ...text, description: 'The key in the query.' },
    header: { ...text, description: 'The name of the header.' },
  }
  return {
    jsonapi: {
      type: 'object',
      description: 'The version of JSON:API.',
      required: ['version'],
      properties: {
        version: { type: 'string', const: version },
        ...(version === '1.1' && { ext: uris, profile: uris }),
      },
    },
    meta: { type: 'object', description: 'More information. Its members depend on the request.' },
    links: {
      type: 'object',
      description: 'URLs by their names, such as `self` and `next`; null where there is none.',
      additionalProperties: link,
    },
    included: {
      type: 'array',
      description: 'The resources that `include` asks for.',
      items: anyOf(types.map(resourceRef)),
    },
    document: {
      type: 'object',
      description: 'A document with data.',
      required: ['jsonapi', 'data'],
      properties: {
        jsonapi: schemaRef('jsonapi'),
        links: schemaRef('links'),
        meta: schemaRef('meta'),
        data: {},
        included: schemaRef('included'),
      },
    },
    metaDocument: {
      type: 'object',
      description: 'A document without data.',
      required: ['jsonapi', 'meta'],
      properties: { jsonapi: schemaRef('jsonapi'), links: schemaRef('links'), meta: schemaRef('meta') },
    },
    errors: {
      type: 'object',
      description: 'A document with errors.',
      required: ['jsonapi', 'errors'],
      properties: { jsonapi: schemaRef('jsonapi'), errors: { type: 'array', items: schemaRef('error'), minItems: 1 } },
    },
    error: {
      type: 'object',
      description: 'One thing that is wrong.',
      required: ['status', 'title'],
      properties: {
        id: { ...text, description: 'Names this one error.' },
        status: { type: 'string', pattern: '^[45]\\d\\d$', description: 'The status of HTTP.' },
        code: { ...text, description: 'The kind of the error, for programs.' },
        title: { ...text, description: 'The kind of the error, for people.' },
        detail: { ...text, description: 'What is wrong this time.' },
        source: { type: 'object', description: 'What the error is about.', properties: pointing },
        links: schemaRef('links'),
        meta: schemaRef('meta'),
      },
    },
  }
}
