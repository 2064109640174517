import type { BelongsTo } from '../schema/relation-kinds.ts'
import type { Attribute, ResourceSchema } from '../schema/resource-schema.ts'
import { instantParts, type Statistics, statsSegment } from '../schema/statistics.ts'
import { type Described, type Part, type Paths, schemaRef } from './described.ts'
import { figureOrders, figuresOf, figuresSchema } from './figures.ts'
import { listParameter } from './parameter.ts'
import { collectionRefs } from './parameters.ts'
import { notModified, tagged, unlessKnown } from './preconditions.ts'
import { answer, errors } from './responses.ts'

/** The figures that can be asked for beside resources of the type. */
export function statsParameters({ statistics }: ResourceSchema): readonly Part[] {
  if (!statistics) return []
  return figuresOf(statistics).map(([name, functions]) =>
    listParameter(`withStats[${name}]`, { type: 'string', enum: functions }, { description: figuresOfAll }),
  )
}

const figuresOfAll = 'Figures of all that the query finds, whatever the page.'

/** The path of groups, where the type has them. */
export function statsPaths(server: Described, schema: ResourceSchema, base: string): Paths {
  const { statistics, type } = schema
  if (!statistics || statistics.grouped.size === 0) return {}
  const keys = keysOf(statistics)
  return {
    [`${base}/${statsSegment}`]: {
      get: {
        operationId: `${type}.viewStats`,
        tags: [type],
        parameters: [
          { ...listParameter('groupBy', { type: 'string', enum: keys }, { description: grouping }), required: true },
          ...statsParameters(schema),
          listParameter('sort', { type: 'string', enum: figureOrders(statistics) }, { description: ordering }),
          ...groupPages,
          ...collectionRefs(server, schema).filter(({ $ref }) => `${$ref}`.includes('/filter.')),
          ...unlessKnown(server),
        ],
        responses: {
          200: answer('A page of groups, with their figures.', groupsDocument(statistics, keys), tagged(server)),
          ...notModified(server),
          ...errors(412),
        },
      },
    },
  }
}

const grouping = 'The fields that the resources are grouped by.'
const ordering = 'The figures that order the groups; `-` before one reverses it.'

const groupPages: readonly Part[] = [
  {
    name: 'page[number]',
    in: 'query',
    description: 'Which page of the groups; 1 is the first.',
    schema: { type: 'integer', minimum: 1 },
  },
  {
    name: 'page[size]',
    in: 'query',
    description: 'How many groups a page has at most.',
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
  },
]

const keysOf = ({ grouped }: Statistics): readonly string[] =>
  [...grouped].flatMap(([name, field]) => groupKeysOf(name, field))

/** An instant has parts alone, a day parts, too. */
function groupKeysOf(name: string, field: Attribute | BelongsTo): readonly string[] {
  const kind = 'serialize' in field ? field.kind : null
  const parts = instantParts.map((part) => `${name}:${part}`)
  if (kind === 'datetime') return parts
  return kind === 'date' ? [name, ...parts] : [name]
}

const groupsDocument = (statistics: Statistics, keys: readonly string[]): Part => ({
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
        groups: { type: 'array', items: group(statistics, keys) },
      },
    },
  },
})

const group = (statistics: Statistics, keys: readonly string[]): Part => ({
  type: 'object',
  required: ['key', 'stats'],
  properties: {
    // Each has the keys that were asked for.
    key: { type: 'object', propertyNames: { enum: keys } },
    stats: figuresSchema(statistics),
  },
})
