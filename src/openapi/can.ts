import { type Possible, possibleWithRow, possibleWithType } from '../auth/possible.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { type Part, schemaRef } from './described.ts'

/** The `meta` of a resource, where it says what its caller may do. */
export function resourceMeta(schema: ResourceSchema): Part {
  if (!schema.showsCan) return schemaRef('meta')
  const { kept, trashed } = possibleWithRow(schema)
  return metaWithCan([...kept, ...trashed], 'What the caller may do with the resource, by the names of actions.')
}

/** The `meta` of a collection, where it says what its caller may do with the type. */
export const collectionMeta = (schema: ResourceSchema): Part =>
  schema.showsCan
    ? metaWithCan(possibleWithType(schema), 'What the caller may do with the type; on the URL of the type itself.')
    : schemaRef('meta')

const metaWithCan = (possible: readonly Possible[], description: string): Part => ({
  type: 'object',
  properties: {
    can: {
      type: 'object',
      description: `${description} Null where that is not known before it is tried.`,
      properties: Object.fromEntries(possible.map(({ name }) => [name, { type: ['boolean', 'null'] }])),
    },
  },
})
