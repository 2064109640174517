import { type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import { hasRule } from '../validation/rules/infer-rules.ts'
import { collectionMeta, resourceMeta } from './can.ts'
import { shortDocument, withSharedMembers } from './compact.ts'
import { deprecatedPart } from './deprecations.ts'
import { type Described, described, type Part, schemaRef } from './described.ts'
import { anyOf, shownRelationship } from './linkage.ts'
import { wordsFor } from './names.ts'
import { shownAttributes } from './parameter.ts'
import { resourceBody } from './request-bodies.ts'
import { shownSchema } from './value-schema.ts'

type Schemas = Readonly<Record<string, Part>>

// The names of types have no dot, and those of what a type has begin with it and one, so that no name is another's.

/** The schemas that operations refer to. */
export function allSchemas(server: Described): Schemas {
  const types = [...server.schemas.byType.values()]
  return Object.assign(
    sharedSchemas(server, includable(server)),
    ...types.map((schema) => typeSchemas(server, schema)),
    server.shared?.schemas.parts,
  )
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
  const short = (document: Part) => (server.shared ? shortDocument(document) : document)
  const { all, any } = wordsFor(schema)
  const isWritten = (kind: 'create' | 'update') => operations.has(kind) && server.audience.has(`${type}.${kind}`)
  return {
    [`${type}.identifier`]: {
      type: 'object',
      description: `The type and the id of ${any}.`,
      required: ['type', 'id'],
      properties: { type: typeName(schema), id: text, meta: schemaRef('meta') },
    },
    [`${type}.resource`]: resourceSchema(server, schema),
    [`${type}.one`]: { description: `A document with ${any}.`, ...short(documentSchema(resourceRef(schema))) },
    [`${type}.many`]: {
      description: `A document with ${all}.`,
      ...short(documentSchema({ type: 'array', items: resourceRef(schema) }, collectionMeta(schema))),
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
      attributes: { type: 'object', properties: withSharedMembers(server, attributes) },
      relationships: { type: 'object', properties: withSharedMembers(server, relationships) },
      links: schemaRef('links'),
      meta: resourceMeta(schema),
    },
  }
}

/** A document with primary data. */
export const documentSchema = (data: Part, meta: Part = schemaRef('meta')): Part => ({
  type: 'object',
  required: ['jsonapi', 'data'],
  properties: {
    jsonapi: schemaRef('jsonapi'),
    links: schemaRef('links'),
    meta,
    data,
    included: schemaRef('included'),
  },
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
    document: { description: 'A document with data.', ...documentSchema({}) },
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
