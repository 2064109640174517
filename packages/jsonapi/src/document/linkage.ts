import type { Failures } from './error.ts'
import { invalidField, nonCompliant, notSupported } from './errors.ts'
import { say } from './text.ts'
import { type Identifier, isObject, type Linkage, type Members, own, pointer } from './types.ts'

/** What a document may say about a relation. */
export interface RelationShape {
  readonly name: string
  readonly isToMany: boolean
  /** The resource types that the relation may hold. */
  readonly types: readonly string[]
}

/** What the server knows about identifiers. */
export interface LinkageLimits {
  /** Is it a type of this server? */
  isType(type: string): boolean
  /** Identifiers in one to-many relation. */
  readonly maxLinkage: number
  /** How a document that creates a resource names this resource itself; left out where it has no such name. */
  readonly itself?: LocalIdentifier
}

/** What a client calls a resource that has no id yet. */
export interface LocalIdentifier {
  readonly type: string
  readonly lid: string
}

/** Does an identifier name the resource that its document creates. */
export const namesItself = (object: unknown, itself: LocalIdentifier | undefined): boolean =>
  itself !== undefined &&
  isObject(object) &&
  own(object, 'type') === itself.type &&
  own(object, 'lid') === itself.lid &&
  !Object.hasOwn(object, 'id')

/** Where linkage stands: the relation, and its `data`. On a relationship endpoint both are `/data`. */
interface LinkagePlace {
  readonly relation: string
  readonly data: string
}

/** All that is wrong with the `data` of a relation, before the database is asked. */
export function* linkageFailures(
  data: unknown,
  relation: RelationShape,
  place: LinkagePlace,
  limits: LinkageLimits,
): Failures {
  if (relation.isToMany) yield* toManyFailures(data, relation, place, limits)
  else yield* toOneFailures(data, relation, place, limits)
}

function* toOneFailures(data: unknown, relation: RelationShape, place: LinkagePlace, limits: LinkageLimits): Failures {
  if (data === null) return
  if (Array.isArray(data)) {
    yield nonCompliant(say`The field ${relation.name} must be a to-one relation.`, place.relation)
  } else if (!isObject(data)) {
    yield nonCompliant(say`The member data must be an object.`, place.data)
  } else {
    const failures = [...identifierFailures(data, 'data', place.data, limits)]
    yield* failures
    if (failures.length === 0) yield* wrongTypeFailures(data, relation, place.relation)
  }
}

function* toManyFailures(data: unknown, relation: RelationShape, place: LinkagePlace, limits: LinkageLimits): Failures {
  if (isObject(data) && (Object.hasOwn(data, 'type') || Object.hasOwn(data, 'id'))) {
    yield nonCompliant(say`The field ${relation.name} must be a to-many relation.`, place.relation)
  } else if (!Array.isArray(data)) {
    yield nonCompliant(say`The member data must be an array.`, place.data)
  } else if (data.length > limits.maxLinkage) {
    yield nonCompliant(say`The member data cannot have more than ${limits.maxLinkage} items.`, place.data)
  } else {
    for (let index = 0; index < data.length; index++) {
      const item: unknown = data[index]
      if (!isRight(item, relation, limits)) yield* itemFailures(item, index, relation, place, limits)
    }
  }
}

/**
 * Nothing is wrong with nearly all of many identifiers, and to look
 * for failures takes ten times as long as to see that.
 */
function isRight(item: unknown, { types }: RelationShape, { isType }: LinkageLimits): boolean {
  if (!isObject(item) || Object.hasOwn(item, 'attributes') || Object.hasOwn(item, 'relationships')) return false
  const [type, id] = [own(item, 'type'), own(item, 'id')]
  return typeof type === 'string' && types.includes(type) && isType(type) && typeof id === 'string' && id.trim() !== ''
}

function* itemFailures(
  item: unknown,
  index: number,
  relation: RelationShape,
  place: LinkagePlace,
  limits: LinkageLimits,
): Failures {
  const at = pointer(place.data, index)
  if (!isObject(item)) {
    yield nonCompliant(say`The member ${index} must be an object.`, at)
    return
  }
  const failures = [...identifierFailures(item, String(index), at, limits)]
  yield* failures
  if (failures.length === 0) yield* wrongTypeFailures(item, relation, at)
}

function* identifierFailures(object: Members, name: string, at: string, limits: LinkageLimits): Failures {
  const typeFailures = [...textFailures(object, 'type', at)]
  yield* typeFailures
  if (!namesItself(object, limits.itself)) yield* textFailures(object, 'id', at)
  if (Object.hasOwn(object, 'attributes') || Object.hasOwn(object, 'relationships')) {
    yield nonCompliant(say`The member ${name} must be a resource identifier.`, at)
  }
  const type = own(object, 'type')
  if (typeFailures.length === 0 && !limits.isType(String(type))) {
    yield notSupported(400, say`Resource type ${type} is not recognised.`, pointer(at, 'type'))
  }
}

function* wrongTypeFailures(object: Members, relation: RelationShape, at: string): Failures {
  if (relation.types.includes(String(own(object, 'type')))) return
  const types = relation.types.join(', ')
  yield invalidField({
    detail: relation.isToMany
      ? say`The ${relation.name} field must be a to-many relationship containing ${types} resources.`
      : say`The ${relation.name} field must be a to-one relationship containing ${types} resources.`,
    pointer: at,
  })
}

/** Linkage that has no failures, as a clean value: nothing but type, id and meta; no resource is named twice. */
export function toLinkage(data: unknown): Linkage {
  if (!Array.isArray(data)) return isObject(data) ? toIdentifier(data) : null
  const known = new Map<string, Set<string>>()
  const unique: Identifier[] = []
  for (const item of data) {
    const identifier = toIdentifier(item)
    const ids = known.get(identifier.type) ?? new Set()
    if (ids.has(identifier.id)) continue
    known.set(identifier.type, ids.add(identifier.id))
    unique.push(identifier)
  }
  return unique
}

function toIdentifier(object: Members): Identifier {
  const meta = own(object, 'meta')
  return { type: String(own(object, 'type')), id: String(own(object, 'id')), ...(isObject(meta) && { meta }) }
}

/** `type`, `id` and `lid` of resources and identifiers: there, a string, and not blank. */
export function* textFailures(object: Members, name: 'type' | 'id' | 'lid', at: string): Failures {
  const value = own(object, name)
  if (value === undefined) yield nonCompliant(say`The member ${name} is required.`, at)
  else if (typeof value !== 'string') yield nonCompliant(say`The member ${name} must be a string.`, pointer(at, name))
  else if (value.trim() === '') yield nonCompliant(say`The member ${name} cannot be empty.`, pointer(at, name))
}
