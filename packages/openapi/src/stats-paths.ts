import type { BelongsTo } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { instantParts, type Statistics, statsSegment } from '@prismapi/jsonapi/schema/statistics'
import { type Described, type Part, type Paths, schemaRef } from './described.ts'
import { figureOrders, figuresSchema } from './figures.ts'
import { listParameter } from './parameter.ts'
import { filterRefs } from './parameters.ts'
import { notModified, tagged, unlessKnown } from './preconditions.ts'
import { answer, failures } from './responses.ts'
import { statsRefs } from './stats-parameters.ts'

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
          ...statsRefs(schema),
          listParameter('sort', { type: 'string', enum: figureOrders(statistics) }, { description: ordering }),
          ...groupPages,
          ...filterRefs(server, schema),
          ...unlessKnown(server),
        ],
        responses: {
          200: answer('A page of groups, with their figures.', groupsDocument(statistics, keys), tagged(server)),
          ...notModified(server),
          ...failures,
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
