import type { BelongsTo } from '../schema/relation-kinds.ts'
import type { Attribute, ResourceSchema } from '../schema/resource-schema.ts'
import { functionsOf, instantParts, type Statistics } from '../schema/statistics.ts'
import { type Described, type Part, type Paths, schemaRef } from './described.ts'
import { listParameter } from './parameter.ts'
import { collectionRefs } from './parameters.ts'
import { notModified, tagged, unlessKnown } from './preconditions.ts'
import { answer, errors } from './responses.ts'

/** The figures that can be asked for beside resources of the type. */
export function statsParameters({ statistics }: ResourceSchema): readonly Part[] {
  if (!statistics) return []
  const figures = [...statistics.aggregated.values()].map(
    (attribute) => [attribute.name, functionsOf(attribute)] as const,
  )
  return [['*', ['count']] as const, ...figures].map(([name, functions]) =>
    listParameter(`withStats[${name}]`, { type: 'string', enum: functions }),
  )
}

/** The path of groups, where the type has them. */
export function statsPaths(server: Described, schema: ResourceSchema, base: string): Paths {
  const { statistics, type } = schema
  if (!statistics || statistics.grouped.size === 0) return {}
  const keys = keysOf(statistics)
  return {
    [`${base}/-stats`]: {
      get: {
        operationId: `${type}.viewStats`,
        tags: [type],
        summary: `Count groups of ${type}`,
        parameters: [
          { ...listParameter('groupBy', { type: 'string', enum: keys }), required: true },
          ...statsParameters(schema),
          listParameter('sort', { type: 'string', enum: ordersOf(statistics) }),
          { name: 'page[number]', in: 'query', schema: { type: 'integer', minimum: 1 } },
          { name: 'page[size]', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } },
          ...collectionRefs(server, schema).filter(({ $ref }) => `${$ref}`.includes('/filter.')),
          ...unlessKnown(server),
        ],
        responses: {
          200: answer('A page of groups, with their figures.', groupsDocument(keys), tagged(server)),
          ...notModified(server),
          ...errors(412),
        },
      },
    },
  }
}

const keysOf = ({ grouped }: Statistics): readonly string[] =>
  [...grouped].flatMap(([name, field]) => (isInstant(field) ? instantParts.map((part) => `${name}:${part}`) : [name]))

const isInstant = (field: Attribute | BelongsTo): boolean => 'serialize' in field && field.kind === 'datetime'

function ordersOf({ aggregated }: Statistics): readonly string[] {
  const figures = [...aggregated.values()].flatMap((attribute) =>
    functionsOf(attribute).map((name) => `${attribute.name}.${name}`),
  )
  return ['count', ...figures].flatMap((name) => [name, `-${name}`])
}

const groupsDocument = (keys: readonly string[]): Part => ({
  type: 'object',
  required: ['jsonapi', 'links', 'meta'],
  properties: {
    jsonapi: schemaRef('jsonapi'),
    links: schemaRef('links'),
    meta: {
      type: 'object',
      required: ['page', 'groups'],
      properties: {
        page: { type: 'object', additionalProperties: { type: 'integer' } },
        groups: { type: 'array', items: group(keys) },
      },
    },
  },
})

const group = (keys: readonly string[]): Part => ({
  type: 'object',
  required: ['key', 'stats'],
  properties: {
    // Each has the keys that were asked for.
    key: { type: 'object', propertyNames: { enum: keys } },
    stats: { type: 'object', additionalProperties: { type: 'object', additionalProperties: figure } },
  },
})

/** A large sum, and what decimals make, is a text. */
const figure: Part = { type: ['number', 'string', 'null'] }
