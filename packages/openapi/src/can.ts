import { type Possible, possibleWithRow, possibleWithType } from '@prismapi/core/auth/possible'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Part, schemaRef } from './described.ts'
import { figuresSchema } from './figures.ts'

/** The `meta` of a resource, where it says what its caller may do. */
export function resourceMeta(schema: ResourceSchema): Part {
  if (!schema.showsCan) return schemaRef('meta')
  const { kept, trashed } = possibleWithRow(schema)
  return metaWithCan([...kept, ...trashed], 'What the caller may do with the resource, by the names of actions.')
}

/** The `meta` of a collection, where it says what its caller may do with the type, or its figures. */
export function collectionMeta(schema: ResourceSchema): Part | null {
  const { showsCan, statistics } = schema
  if (!showsCan && !statistics) return null
  const told = 'What the caller may do with the type; on the URL of the type itself.'
  return {
    type: 'object',
    properties: {
      ...(showsCan && { can: canSchema(possibleWithType(schema), told) }),
      ...(statistics && { stats: figuresSchema(statistics) }),
    },
  }
}

const metaWithCan = (possible: readonly Possible[], description: string): Part => ({
  type: 'object',
  properties: { can: canSchema(possible, description) },
})

const canSchema = (possible: readonly Possible[], description: string): Part => ({
  type: 'object',
  description: `${description} Null where that is not known before it is tried.`,
  properties: Object.fromEntries(possible.map(({ name }) => [name, answerOf(name)])),
})

/** Of a write, the fields that may be written stand in the place of true where these are not all. */
const answerOf = (name: string): Part =>
  name === 'create' || name === 'update'
    ? { type: ['boolean', 'null', 'array'], items: { type: 'string' } }
    : { type: ['boolean', 'null'] }
