import { memo } from '../model/memo.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { isWritable, type ResourceSchema, type SchemaRegistry } from '../schema/resource-schema.ts'
import { statsSegment } from '../schema/statistics.ts'
import type { Operation, OperationTarget } from './operation.ts'

/** Where a server takes atomic requests, below its base path. */
export const operationsPath = '/operations'

/**
 * The shapes of path below a server's base path, the first that fits; a type is found by a look-up, however many there are.
 */
export const patterns = [
  '/:type',
  '/:type/-stats',
  '/:type/:id',
  '/:type/-actions/:action',
  '/:type/:id/-actions/:action',
  '/:type/:id/relationships/:relation',
  '/:type/:id/:relation',
] as const

/** A path that was taken apart. */
export interface Address {
  readonly pattern: (typeof patterns)[number]
  readonly params: PathParams
}

export interface PathParams {
  readonly type?: string
  readonly id?: string
  readonly relation?: string
  readonly action?: string
}

/** A path below a server's base path by the first pattern that fits; null where none does. */
export function matchPath(path: string): Address | null {
  const segments = path.split('/')
  for (const { pattern, names } of named) {
    if (names.length !== segments.length) continue
    const params = paramsOf(names, segments)
    if (params) return { pattern, params }
  }
  return null
}

const named = patterns.map((pattern) => ({ pattern, names: pattern.split('/') }))

function paramsOf(names: readonly string[], segments: readonly string[]): PathParams | null {
  const params: Record<string, string> = {}
  for (let i = 1; i < names.length; i++) {
    const name = names[i] as string
    const segment = decodeSegment(segments[i] as string)
    if (name.startsWith(':') ? !segment : segment !== name) return null
    if (name.startsWith(':')) params[name.slice(1)] = segment as string
  }
  return segments[0] === '' ? params : null
}

/** Null where it is no percent-encoded UTF-8. */
function decodeSegment(segment: string): string | null {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

/** What the methods mean that a path answers to. */
type Kinds = Readonly<Record<string, Operation['kind']>>

/** A path below a server's base path at which something is served. */
export interface Route {
  readonly pattern: (typeof patterns)[number]
  readonly params: PathParams
  readonly kinds: Kinds
  /** The same whatever the method; the kind makes it an operation. */
  readonly about: OperationTarget
}

/** What is served at a path; null where nothing is. */
export function findRoute(schemas: SchemaRegistry, path: string): Route | null {
  const match = matchPath(path)
  return match && routeOf(schemas, match)
}

/** What the client wants: method and path become one tagged value, here and nowhere else. Null for a method that the path does not have. */
export function operationOf({ kinds, about }: Route, method: string): Operation | null {
  const kind = Object.hasOwn(kinds, method) ? kinds[method] : undefined
  return kind ? ({ ...about, kind } as Operation) : null
}

/** The relationship that a method would change if it could be changed at all; null for methods that no relationship of its kind has. */
export function writesRelationship({ pattern, about }: Route, method: string): Relation | null {
  if (pattern !== '/:type/:id/relationships/:relation' || !('relation' in about)) return null
  const isWrite = method === 'PATCH' || (isToMany(about.relation) && (method === 'POST' || method === 'DELETE'))
  return isWrite ? about.relation : null
}

/** The path with `{id}` in the place of an id, as in the OpenAPI document. */
export function routeTemplate({ pattern, params }: Route): string {
  const names: Readonly<Record<string, string>> = { ...params, id: '{id}' }
  return pattern.replace(/:(\w+)/g, (_, name: string) => names[name] ?? '')
}

/** What an address is of; null where nothing is served. */
export function routeOf(schemas: SchemaRegistry, address: Address): Route | null {
  const at = withoutStats(schemas, address)
  const served = servedAt(schemas, at)
  return served && { ...at, ...served }
}

/** To a type without statistics `-stats` is an id like others. */
function withoutStats(schemas: SchemaRegistry, address: Address): Address {
  const { pattern, params } = address
  if (pattern !== '/:type/-stats' || schemas.byType.get(params.type ?? '')?.statistics) return address
  return { pattern: '/:type/:id', params: { ...params, id: statsSegment } }
}

function servedAt(
  schemas: SchemaRegistry,
  { pattern, params: { type = '', id = '', relation: name = '', action = '' } }: Address,
): Pick<Route, 'kinds' | 'about'> | null {
  const schema = schemas.byType.get(type)
  if (!schema) return null
  if (pattern === '/:type') return { kinds: collectionKinds(schema), about: { schema } }
  if (pattern === '/:type/-stats') return { kinds: reading('viewStats'), about: { schema } }
  if (pattern === '/:type/:id') return { kinds: resourceKinds(schema), about: { schema, id } as OperationTarget }
  if (pattern === '/:type/-actions/:action') return servedAction(schema, null, action)
  if (pattern === '/:type/:id/-actions/:action') return servedAction(schema, id, action)
  const relation = schema.relations.get(name)
  if (!relation) return null
  const kinds = pattern === '/:type/:id/:relation' ? reading('viewRelated') : relationshipKinds(schema, relation)
  return { kinds, about: { schema, id, relation } as OperationTarget }
}

const reading = (kind: Operation['kind']): Kinds => ({ GET: kind, HEAD: kind })

const collectionKinds = memo(
  (schema: ResourceSchema): Kinds => ({
    ...reading('viewAny'),
    ...(schema.operations.has('create') && { POST: 'create' }),
  }),
)

const resourceKinds = memo(
  (schema: ResourceSchema): Kinds => ({
    ...reading('view'),
    ...(schema.operations.has('update') && { PATCH: 'update' }),
    ...(schema.operations.has('delete') && { DELETE: 'delete' }),
  }),
)

function servedAction(schema: ResourceSchema, id: string | null, name: string): Pick<Route, 'kinds' | 'about'> | null {
  const action = schema.actions.get(name)
  if (action?.on !== (id === null ? 'collection' : 'member')) return null
  const kinds = action.method === 'GET' ? reading('action') : { [action.method]: 'action' as const }
  return { kinds, about: { schema, action, id } as OperationTarget }
}

function relationshipKinds(schema: ResourceSchema, relation: Relation): Kinds {
  const isChanged = isWritable(schema, relation)
  return {
    ...reading('viewRelationship'),
    ...(isChanged && { PATCH: 'updateRelationship' }),
    ...(isChanged && isToMany(relation) && { POST: 'attach', DELETE: 'detach' }),
  }
}
