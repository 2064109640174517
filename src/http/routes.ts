import { methodNotAllowed, routeNotFound } from '../document/errors.ts'
import type { Operation } from '../request/operation.ts'
import {
  isKeyRelation,
  isToMany,
  type Relation,
  type ResourceSchema,
  type SchemaRegistry,
} from '../schema/resource-schema.ts'

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
  const segments = path.split('/').map(decodeSegment)
  for (const pattern of patterns) {
    const params = paramsOf(pattern.split('/'), segments)
    if (params) return { pattern, params }
  }
  return null
}

function paramsOf(names: readonly string[], segments: readonly (string | null)[]): PathParams | null {
  if (names.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [i, name] of names.entries()) {
    const segment = segments[i]
    if (name.startsWith(':') ? !segment : segment !== name) return null
    if (name.startsWith(':')) params[name.slice(1)] = segment as string
  }
  return params
}

/** Null where it is no percent-encoded UTF-8. */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

type Verbs = Readonly<Record<string, Operation>>

/**
 * What the client wants: method and path become one tagged value, here and nowhere else.
 * @throws {JsonApiError} 404 for an unknown path, 405 with `Allow` for a verb that the path does not have.
 */
export function toOperation(schemas: SchemaRegistry, { method, path, pattern, params }: Target): Operation {
  const verbs = verbsOf(schemas, pattern, params)
  if (!verbs) throw routeNotFound(path)
  const operation = Object.hasOwn(verbs, method) ? verbs[method] : undefined
  if (!operation) throw methodNotAllowed(method, path, Object.keys(verbs))
  return operation
}

/** The methods that a path answers to: what `Allow` lists. */
export function allowedMethods(schemas: SchemaRegistry, { path, pattern, params }: Omit<Target, 'method'>): string[] {
  const verbs = verbsOf(schemas, pattern, params)
  if (!verbs) throw routeNotFound(path)
  return Object.keys(verbs)
}

function verbsOf(
  schemas: SchemaRegistry,
  pattern: (typeof patterns)[number],
  { type = '', id = '', relation: name = '', action = '' }: PathParams,
): Verbs | null {
  const schema = schemas.byType.get(type)
  if (!schema) return null
  if (pattern === '/:type') return collectionVerbs(schema)
  if (pattern === '/:type/:id') return resourceVerbs(schema, id)
  if (pattern === '/:type/-actions/:action') return actionVerbs(schema, null, action)
  if (pattern === '/:type/:id/-actions/:action') return actionVerbs(schema, id, action)
  const relation = schema.relations.get(name)
  if (!relation) return null
  return pattern === '/:type/:id/:relation'
    ? relatedVerbs(schema, id, relation)
    : relationshipVerbs(schema, id, relation)
}

const reading = <Op extends Operation>(operation: Op) => ({ GET: operation, HEAD: operation })

const collectionVerbs = (schema: ResourceSchema): Verbs => ({
  ...reading({ kind: 'viewAny', schema }),
  ...(schema.operations.has('create') && { POST: { kind: 'create', schema } }),
})

const resourceVerbs = (schema: ResourceSchema, id: string): Verbs => ({
  ...reading({ kind: 'view', schema, id }),
  ...(schema.operations.has('update') && { PATCH: { kind: 'update', schema, id } }),
  ...(schema.operations.has('delete') && { DELETE: { kind: 'delete', schema, id } }),
})

function actionVerbs(schema: ResourceSchema, id: string | null, name: string): Verbs | null {
  const action = schema.actions.get(name)
  if (action?.on !== (id === null ? 'collection' : 'member')) return null
  const operation: Operation = { kind: 'action', schema, action, id }
  return action.method === 'GET' ? reading(operation) : { [action.method]: operation }
}

const relatedVerbs = (schema: ResourceSchema, id: string, relation: Relation): Verbs =>
  reading({ kind: 'viewRelated', schema, id, relation })

function relationshipVerbs(schema: ResourceSchema, id: string, relation: Relation): Verbs {
  const target = { schema, id, relation }
  const isWritable = schema.operations.has('update') && !relation.readOnly && !isKeyRelation(schema, relation)
  return {
    ...reading({ kind: 'viewRelationship', ...target }),
    ...(isWritable && { PATCH: { kind: 'updateRelationship', ...target } }),
    ...(isWritable &&
      isToMany(relation) && { POST: { kind: 'attach', ...target }, DELETE: { kind: 'detach', ...target } }),
  }
}
