import { isObject, type Members, own } from '@prismapi/jsonapi/document/types'
import { wellFormedParameters } from '@prismapi/jsonapi/query/parameters'
import type { RequestUrl } from '@prismapi/jsonapi/request/hook-context'
import type { Operation, OperationTarget } from '@prismapi/jsonapi/request/operation'
import type { Deprecation } from '@prismapi/jsonapi/schema/deprecation'
import {
  type ResourceSchema,
  type SchemaRegistry,
  schemaOf,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'

// The deprecated names that a request uses. It looks at what was sent, not at the meaning: other code refuses wrong
// names.

type Found = readonly Deprecation[]

/** By the endpoint itself: of the type, and of the relation or the action. */
export function endpointUses(place: OperationTarget): Found {
  const { schema } = place
  const part = 'action' in place ? place.action : 'relation' in place ? place.relation : schema
  return [...given(schema.deprecation), ...(part === schema ? [] : given(part.deprecation))]
}

/** By name: in sparse fieldsets, filters, sorts, includes and counts. */
export function queryUses(schemas: SchemaRegistry, operation: Operation, at: RequestUrl): Found {
  if (at.search === '') return []
  const primary = askedSchemas(schemas, operation)
  // Includes of linkage begin with the relation itself.
  const roots = operation.kind === 'viewRelationship' ? [operation.schema] : primary
  return wellFormedParameters(at).flatMap(({ family, path: brackets, value }) => {
    const [first = ''] = brackets
    const listed = value.split(',')
    const sorted = listed.map((path) => path.replace(/^-/, ''))
    const along = (from: readonly ResourceSchema[], own: Own, ...paths: readonly string[]) =>
      pathUses({ schemas, own }, from, paths.join('.').split('.'))
    switch (family) {
      case 'fields':
        return fieldUses(schemas.byType.get(first), listed)
      case 'include':
      case 'withCount':
        return listed.flatMap((path) => along(roots, null, path))
      case 'sort':
        return sorted.flatMap((path) => along(primary, 'sorts', path))
      case 'filter':
        return along(primary, 'filters', ...brackets)
      case 'includeSort':
        return sorted.flatMap((path) => along(roots, 'sorts', first, path))
      case 'includeFilter':
        return along(roots, 'filters', ...brackets)
      default:
        return []
    }
  })
}

/** What a path may end with that is no field. */
type Own = 'filters' | 'sorts' | null

/** The types that the primary data may have. */
function askedSchemas(schemas: SchemaRegistry, operation: Operation): readonly ResourceSchema[] {
  if (operation.kind === 'action') return [schemaOf(schemas, operation.action.answers)]
  return 'relation' in operation ? targetSchemas(schemas, operation.relation) : [operation.schema]
}

/** In the document that is sent: fields of the resource. */
export function documentUses(schema: ResourceSchema, body: unknown): Found {
  const data = isObject(body) ? own(body, 'data') : undefined
  if (!isObject(data)) return []
  return fieldUses(schema, [...keysOf(data, 'attributes'), ...keysOf(data, 'relationships')])
}

/** In an atomic request: everything that its operations are about. */
export const operationUses = (schema: ResourceSchema, relationship: string | null, data: unknown): Found => [
  ...given(schema.deprecation),
  ...(relationship === null ? documentUses(schema, { data }) : fieldUses(schema, [relationship])),
]

function keysOf(data: Members, name: string): readonly string[] {
  const members = own(data, name)
  return isObject(members) ? Object.keys(members) : []
}

const fieldUses = (schema: ResourceSchema | undefined, names: readonly string[]): Found =>
  names.flatMap((name) => given(schema?.attributes.get(name)?.deprecation ?? schema?.relations.get(name)?.deprecation))

interface Way {
  readonly schemas: SchemaRegistry
  readonly own: Own
}

/** Along a path through relations; what is no field on the way, as an operator or a group, is passed over. */
function pathUses(way: Way, from: readonly ResourceSchema[], path: readonly string[]): Found {
  const [name, ...rest] = path
  if (name === undefined) return []
  const ends = from.flatMap((schema) => schema.attributes.get(name) ?? (way.own && schema[way.own].get(name)) ?? [])
  if (ends.length > 0) return ends.flatMap(({ deprecation }) => given(deprecation))
  const relations = from.flatMap((schema) => schema.relations.get(name) ?? [])
  const targets = relations.length > 0 ? relations.flatMap((each) => targetSchemas(way.schemas, each)) : from
  return [...relations.flatMap(({ deprecation }) => given(deprecation)), ...pathUses(way, targets, rest)]
}

const given = (deprecation: Deprecation | null | undefined): Found => (deprecation ? [deprecation] : [])
