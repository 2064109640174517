import type { Can } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { PivotMeta } from './loading/pivot-meta.ts'
import type { ShownPage } from './loading/shown-page.ts'

/**
 * A row that was read, as a node of the graph that a document shows. There is one for each type and id in a request;
 * `related` and `counts` hold what was loaded of its relations.
 */
export interface Resource {
  readonly schema: ResourceSchema
  readonly id: string
  readonly row: Row
  /** By the relation's name; null, like what follows, while nothing was loaded, which is how most resources are shown. */
  related: Map<string, Resource | null | readonly Resource[]> | null
  /** How included to-many relations go on, where that is told. */
  pages: Map<string, ShownPage> | null
  /** The numbers of resources in to-many relations, as far as they were asked for. */
  counts: Map<string, number> | null
  /** What the pivots of many-to-many relations say, where they are rows of their own. */
  pivotMeta: Map<string, PivotMeta> | null
  /** What the caller may do with it, where that is told. */
  can: Can | null
  /** The fields that the caller may not see of it; null where it sees all, undefined before that was looked at. */
  hidden: ReadonlySet<string> | null | undefined
}

/** What is hidden of a resource that the caller may not view: all but type and id. */
export const noField: ReadonlySet<string> = Object.freeze(
  new (class extends Set<string> {
    override has(): boolean {
      return true
    }
  })(),
)

export const toResource = (schema: ResourceSchema, row: Row): Resource => ({
  schema,
  id: schema.id.format(row),
  row,
  related: null,
  pages: null,
  counts: null,
  pivotMeta: null,
  can: null,
  hidden: undefined,
})

/** Remembers what was loaded of a relation. */
export function relate(resource: Resource, name: string, targets: Resource | null | readonly Resource[]): void {
  resource.related ??= new Map()
  resource.related.set(name, targets)
}

export const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]))

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
