import { memo } from '../model/memo.ts'
import type { Action } from '../schema/actions.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { isWritable, type ResourceSchema, type SchemaRegistry } from '../schema/resource-schema.ts'
import { statsSegment } from '../schema/statistics.ts'

/**
 * What the client wants. Made once, from method and path; no later stage asks about the verb again.
 *
 * @internal
 */
export type Operation = CollectionOperation | ResourceOperation | RelationOperation | ActionOperation

/** What an address is of, whatever is asked of it. */
export type OperationTarget = { readonly [O in Operation as O['kind']]: Omit<O, 'kind'> }[Operation['kind']]

export interface CollectionOperation {
  /** `viewStats`: figures of groups of the rows that `viewAny` would list. */
  readonly kind: 'viewAny' | 'viewStats' | 'create'
  readonly schema: ResourceSchema
}

export interface ResourceOperation {
  /** `forceDelete`: DELETE of a row that was deleted softly. */
  readonly kind: 'view' | 'update' | 'delete' | 'forceDelete'
  readonly schema: ResourceSchema
  /** The id of the URL, decoded. */
  readonly id: string
}

export interface RelationOperation {
  readonly kind: 'viewRelated' | 'viewRelationship' | 'updateRelationship' | 'attach' | 'detach'
  readonly schema: ResourceSchema
  readonly id: string
  readonly relation: Relation
}

/** A custom action. */
export interface ActionOperation {
  readonly kind: 'action'
  readonly schema: ResourceSchema
  readonly action: Action
  /** Null on a collection. */
  readonly id: string | null
}

type Kind = Operation['kind']

/** The kinds that an authorizer has a method for. */
export type DecidedKind = Exclude<Kind, 'viewStats'>

/** Figures of a collection are decided as the collection is. */
export const decidedKind = (kind: Kind): DecidedKind => (kind === 'viewStats' ? 'viewAny' : kind)

const relationVerbs = {
  viewRelated: 'view',
  viewRelationship: 'view',
  updateRelationship: 'update',
  attach: 'attach',
  detach: 'detach',
} as const

/**
 * The name of the policy method, and of the ability's action, that
 * decides: `viewAny`, `update`, `attachTags`, `publish`.
 */
export function policyAction(operation: Operation): string {
  if (operation.kind === 'action') return operation.action.name
  if (!('relation' in operation)) return decidedKind(operation.kind)
  const { name } = operation.relation
  return `${relationVerbs[operation.kind]}${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

const reads: ReadonlySet<Operation['kind']> = new Set([
  'viewAny',
  'viewStats',
  'view',
  'viewRelated',
  'viewRelationship',
])

export const isReading = (operation: Operation): boolean => reads.has(operation.kind)
/** Does the answer show more than one resource, as a rule? */
export const showsMany = (operation: Operation): boolean => isReading(operation) && operation.kind !== 'view'
export const isCreating = (operation: Operation): boolean => operation.kind === 'create'
export const isUpdating = (operation: Operation): boolean => operation.kind === 'update'
export const isDeleting = (operation: Operation): boolean =>
  operation.kind === 'delete' || operation.kind === 'forceDelete'
export const isUpdatingRelationship = (operation: Operation): boolean => operation.kind === 'updateRelationship'
export const isAttachingRelationship = (operation: Operation): boolean => operation.kind === 'attach'
export const isDetachingRelationship = (operation: Operation): boolean => operation.kind === 'detach'
export const isModifyingRelationship = (operation: Operation): operation is RelationOperation =>
  isUpdatingRelationship(operation) || isAttachingRelationship(operation) || isDetachingRelationship(operation)

/** What a client says of the resource that it wants to change (RFC 9110, *Preconditions*). */
export interface Precondition {
  /** It has to have one of these versions; null where nothing was said of it. */
  readonly match: Versions | null
  /** It must have none of these. */
  readonly noneMatch: Versions | null
  /** Where an operation says so; null for headers. */
  readonly pointer: string | null
}

/** `any`: whichever, as long as the resource is there. */
export type Versions = readonly string[] | 'any'

/** What stands between the version of an entity tag and the digest behind it. */
export const versionEnd = '/'

/** The version that a client names: alone, or as it begins an entity tag. */
export const versionIn = (text: string): string => text.split(versionEnd, 1)[0] as string

/** Where a server takes atomic requests, below its base path. */
export const operationsPath = '/operations'

/**
 * The shapes of path below a server's base path, the first that fits;
 * a type is found by a look-up, however many there are.
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
  if (segments[0] !== '') return null
  for (const { pattern, parts } of splitPatterns) {
    if (parts.length !== segments.length) continue
    const params = matchSegments(parts, segments)
    if (params) return { pattern, params }
  }
  return null
}

interface Part {
  readonly text: string
  readonly isParam: boolean
}

const toPart = (text: string): Part =>
  text.startsWith(':') ? { text: text.slice(1), isParam: true } : { text, isParam: false }

const splitPatterns = patterns.map((pattern) => ({ pattern, parts: pattern.split('/').map(toPart) }))

function matchSegments(parts: readonly Part[], segments: readonly string[]): PathParams | null {
  const params: Record<string, string> = {}
  for (let i = 1; i < parts.length; i++) {
    const { text, isParam } = parts[i] as Part
    const segment = decodeSegment(segments[i] as string)
    if (isParam ? !segment : segment !== text) return null
    if (isParam) params[text] = segment as string
  }
  return params
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

/**
 * A path below a server's base path at which something is served.
 *
 * @internal
 */
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
  return match && findRouteAt(schemas, match)
}

/**
 * What the client wants: method and path become one tagged value, here
 * and nowhere else. Null for a method that the path does not have.
 */
export function findOperation({ kinds, about }: Route, method: string): Operation | null {
  const kind = Object.hasOwn(kinds, method) ? kinds[method] : undefined
  return kind ? ({ kind, ...about } as Operation) : null
}

/**
 * The relationship that a method would change if it could be changed
 * at all; null for methods that no relationship of its kind has.
 */
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
export function findRouteAt(schemas: SchemaRegistry, address: Address): Route | null {
  const at = withoutStats(schemas, address)
  const served = servedAt(schemas, at)
  return served && { pattern: at.pattern, params: at.params, kinds: served.kinds, about: served.about }
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
