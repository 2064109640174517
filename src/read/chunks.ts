import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Resource } from './resource.ts'

// SQLite binds a limited number of values; a query with more would be split by Prisma, and lose its order and its sums.
const chunkSize = 500

/** A list in parts that are short enough for one query each, which names each value so many times. */
export function chunked<T>(values: readonly T[], times = 1): readonly (readonly T[])[] {
  const size = Math.max(1, Math.floor(chunkSize / times))
  const chunks: T[][] = []
  for (let i = 0; i < values.length; i += size) chunks.push(values.slice(i, i + size))
  return chunks
}

// Node 20 has no Map.groupBy.
export function groupBySchema(resources: readonly Resource[]): ReadonlyMap<ResourceSchema, readonly Resource[]> {
  const groups = new Map<ResourceSchema, Resource[]>()
  for (const resource of resources) {
    const group = groups.get(resource.schema)
    if (group) group.push(resource)
    else groups.set(resource.schema, [resource])
  }
  return groups
}
