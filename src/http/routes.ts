import { methodNotAllowed, routeNotFound } from '../document/errors.ts'
import { memo } from '../model/memo.ts'
import type { Operation, Place } from '../request/operation.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { isWritable, type ResourceSchema, type SchemaRegistry } from '../schema/resource-schema.ts'

/**
 * The shapes of path below a server's base path, the first that fits; a type is found by a look-up, however many there are.
 */
export const patterns = [
  '/:type',
  '/:type/:id',
  '/:type/-actions/:action',
  '/:type/:id/-actions/:action',
  '/:type/:id/relationships/:relation',
  '/:type/:id/:relation',
] as const

export interface Target {
  readonly method: string
  readonly path: string
  readonly pattern: (typeof patterns)[number]
  readonly params: PathParams
}

export interface PathParams {
  readonly type?: string
  readonly id?: string
  readonly relation?: string
  readonly action?: string
}

/** What a path below a server's base path is the address of, by the first pattern that fits; null for no address. */
export function matchPath(path: string): Pick<Target, 'pattern' | 'params'> | null {
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

/** The path with `{id}` in the place of an id, as in the OpenAPI document; null where nothing is served. */
export function routeTemplate(schemas: SchemaRegistry, path: string): string | null {
  const match = matchPath(path)
  if (!match || !routeOf(schemas, match.pattern, match.params)) return null
  const names: Readonly<Record<string, string>> = { ...match.params, id: '{id}' }
  return match.pattern.replace(/:(\w+)/g, (_, name: string) => names[name] ?? '')
}

/** What a path below a server's base path is about, whatever the method; null where nothing is served. */
export const findPlace = (schemas: SchemaRegistry, { pattern, params }: Omit<Target, 'method'>): Place | null =>
  routeOf(schemas, pattern, params)?.about ?? null

/** What the methods mean that a path answers to. */
type Kinds = Readonly<Record<string, Operation['kind']>>

interface Route {
  readonly kinds: Kinds
  /** The same whatever the method; the kind makes it an operation. */
  readonly about: Place
}

/**
 * What the client wants: method and path become one tagged value, here and nowhere else.
 * @throws {JsonApiError} 404 for an unknown path, 405 with `Allow` for a verb that the path does not have.
 */
export function toOperation(schemas: SchemaRegistry, { method, path, pattern, params }: Target): Operation {
  const route = routeOf(schemas, pattern, params)
  if (!route) throw routeNotFound(path)
  const { kinds, about } = route
  const kind = Object.hasOwn(kinds, method) ? kinds[method] : undefined
  if (!kind) throw methodNotAllowed(method, path, Object.keys(kinds))
  return { ...about, kind } as Operation
}

/** The methods that a path answers to: what `Allow` lists. */
export function allowedMethods(schemas: SchemaRegistry, { path, pattern, params }: Omit<Target, 'method'>): string[] {
  const route = routeOf(schemas, pattern, params)
  if (!route) throw routeNotFound(path)
  return Object.keys(route.kinds)
}

function routeOf(
  schemas: SchemaRegistry,
  pattern: (typeof patterns)[number],
  { type = '', id = '', relation: name = '', action = '' }: PathParams,
): Route | null {
  const schema = schemas.byType.get(type)
  if (!schema) return null
  if (pattern === '/:type') return { kinds: collectionKinds(schema), about: { schema } }
  if (pattern === '/:type/:id') return { kinds: resourceKinds(schema), about: { schema, id } as Place }
  if (pattern === '/:type/-actions/:action') return actionRoute(schema, null, action)
  if (pattern === '/:type/:id/-actions/:action') return actionRoute(schema, id, action)
  const relation = schema.relations.get(name)
  if (!relation) return null
  const kinds = pattern === '/:type/:id/:relation' ? reading('viewRelated') : relationshipKinds(schema, relation)
  return { kinds, about: { schema, id, relation } as Place }
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

function actionRoute(schema: ResourceSchema, id: string | null, name: string): Route | null {
  const action = schema.actions.get(name)
  if (action?.on !== (id === null ? 'collection' : 'member')) return null
  const kinds = action.method === 'GET' ? reading('action') : { [action.method]: 'action' as const }
  return { kinds, about: { schema, action, id } as Place }
}

function relationshipKinds(schema: ResourceSchema, relation: Relation): Kinds {
  const isChanged = isWritable(schema, relation)
  return {
    ...reading('viewRelationship'),
    ...(isChanged && { PATCH: 'updateRelationship' }),
    ...(isChanged && isToMany(relation) && { POST: 'attach', DELETE: 'detach' }),
  }
}
