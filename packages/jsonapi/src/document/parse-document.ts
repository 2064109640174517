import { type Failures, throwAll } from './error.ts'
import { invalidField, nonCompliant, notSupported } from './errors.ts'
import { type Message, say } from './text.ts'
import { type Identifier, isObject, type Linkage, type Members, namesOf, own, pointer } from './types.ts'

/** The members of a resource object that hold its fields. */
type Container = 'attributes' | 'relationships'

/** What a resource document may say at an endpoint. */
export interface ResourceShape extends LinkageLimits {
  /** The endpoint's resource type. */
  readonly type: string
  /** The id of the resource when it updates, null when it creates. */
  readonly id: string | null
  /** Another spelling of it, which names the same resource; left out where there is none. */
  readonly alsoId?: string
  readonly acceptsClientId: boolean
  /**
   * Is `lid` a member that means something: JSON:API 1.1 defined it. A
   * new resource may have one, by which its relationships name it.
   */
  readonly knowsLid?: boolean
  hasAttribute(name: string): boolean
  /** The name that a client most likely meant by one that there is not; null for none. */
  meant(container: Container, name: string): string | null
  /** Would the value of an attribute change the id of the resource, of which it is a part. */
  changesId?(name: string, value: unknown): boolean
  relation(name: string): RelationShape | null
}

/** A compliant document's fields; which of them a client may set is decided by the rules. */
export interface ParsedResource {
  readonly type: string
  /** Null when a client that creates leaves the id to the server. */
  readonly id: string | null
  readonly attributes: ReadonlyMap<string, unknown>
  /** Without the new resource itself. */
  readonly relationships: ReadonlyMap<string, Linkage>
  /** The relationships that lead to the new resource itself; left out where none does. */
  readonly itself?: LinksToItself
}

/** What a document says of the resource that it creates, by its `lid`. */
export interface LinksToItself {
  readonly identifier: LocalIdentifier
  /** The names of these relationships. */
  readonly relations: ReadonlySet<string>
}

/**
 * The resource object of a create or update document. Members that JSON:API does not define are ignored.
 *
 * @throws JsonApiError with every failure: 400, or 403, 409, 422 when all failures agree on it.
 */
export function parseResource(body: unknown, shape: ResourceShape): ParsedResource {
  const data = parseData(body)
  const itself = localIdentifier(data, shape)
  throwAll(typeFailures(data, shape))
  throwAll(memberFailures(data, itself ? { ...shape, itself } : shape))
  const id = own(data, 'id')
  const linkages = fieldsOf(data, 'relationships').map(
    ([name, value]) => [name, isObject(value) ? value.data : null] as const,
  )
  const toItself = itself ? linkages.filter(([, linkage]) => leadsTo(itself, linkage)).map(([name]) => name) : []
  return {
    type: shape.type,
    id: typeof id === 'string' ? id : null,
    attributes: new Map(fieldsOf(data, 'attributes')),
    relationships: new Map(linkages.map(([name, linkage]) => [name, toLinkage(without(linkage, itself))])),
    ...(itself && toItself.length > 0 && { itself: { identifier: itself, relations: new Set(toItself) } }),
  }
}

function localIdentifier(data: Members, { type, id, knowsLid }: ResourceShape): LocalIdentifier | undefined {
  const lid = own(data, 'lid')
  return id === null && knowsLid && typeof lid === 'string' ? { type, lid } : undefined
}

const leadsTo = (itself: LocalIdentifier, linkage: unknown): boolean =>
  Array.isArray(linkage) ? linkage.some((item) => namesItself(item, itself)) : namesItself(linkage, itself)

function without(linkage: unknown, itself: LocalIdentifier | undefined): unknown {
  if (itself === undefined) return linkage
  if (Array.isArray(linkage)) return linkage.filter((item) => !namesItself(item, itself))
  return namesItself(linkage, itself) ? null : linkage
}

function parseData(body: unknown): Members {
  const data = isObject(body) ? (own(body, 'data') ?? null) : null
  if (data === null) throw nonCompliant(say`The member data is required.`, hasData(body) ? '/data' : '')
  if (!isObject(data)) throw nonCompliant(say`The member data must be an object.`, '/data')
  return data
}

const hasData = (body: unknown): boolean => isObject(body) && Object.hasOwn(body, 'data')

function* typeFailures(data: Members, shape: ResourceShape): Failures {
  const failures = [...textFailures(data, 'type', '/data')]
  yield* failures
  const type = own(data, 'type')
  if (failures.length === 0 && type !== shape.type) {
    yield notSupported(409, say`Resource type ${type} is not supported by this endpoint.`, '/data/type')
  }
}

function* memberFailures(data: Members, shape: ResourceShape): Failures {
  if (shape.id === null) yield* newIdFailures(data, shape)
  else yield* idFailures(data, [shape.id, shape.alsoId])
  yield* duplicateFailures(data)
  yield* attributesFailures(data, shape)
  yield* relationshipsFailures(data, shape)
}

function* newIdFailures(data: Members, shape: ResourceShape): Failures {
  if (shape.knowsLid && Object.hasOwn(data, 'lid')) yield* textFailures(data, 'lid', '/data')
  if (!Object.hasOwn(data, 'id')) return
  if (shape.acceptsClientId) yield* textFailures(data, 'id', '/data')
  else {
    yield notSupported(403, say`Resource type ${shape.type} does not support client-generated IDs.`, '/data/id')
  }
}

function* idFailures(data: Members, expected: readonly unknown[]): Failures {
  const failures = [...textFailures(data, 'id', '/data')]
  yield* failures
  const id = own(data, 'id')
  if (failures.length === 0 && !expected.includes(id)) {
    yield notSupported(409, say`Resource id ${id} is not supported by this endpoint.`, '/data/id')
  }
}

function* duplicateFailures(data: Members): Failures {
  const relationships = own(data, 'relationships')
  if (!isObject(relationships)) return
  for (const [name] of fieldsOf(data, 'attributes')) {
    if (!Object.hasOwn(relationships, name)) continue
    yield nonCompliant(say`The ${name} field cannot exist as an attribute and a relationship.`, '/data')
  }
}

function* attributesFailures(data: Members, shape: ResourceShape): Failures {
  yield* containerFailures(data, 'attributes')
  for (const [name, value] of fieldsOf(data, 'attributes')) {
    if (isReserved(name)) continue
    if (!shape.hasAttribute(name))
      yield nonCompliant(
        withMeant(say`The field ${name} is not a supported attribute.`, shape.meant('attributes', name)),
        pointer('/data/attributes', name),
      )
    else if (shape.changesId?.(name, value))
      yield notSupported(
        403,
        say`The field ${name} is part of the id, which never changes.`,
        pointer('/data/attributes', name),
      )
  }
}

function* relationshipsFailures(data: Members, shape: ResourceShape): Failures {
  yield* containerFailures(data, 'relationships')
  for (const [name, value] of fieldsOf(data, 'relationships')) {
    if (isReserved(name)) continue
    const relation = shape.relation(name)
    if (relation) yield* relationshipFailures(value, relation, shape)
    else
      yield nonCompliant(
        withMeant(say`The field ${name} is not a supported relationship.`, shape.meant('relationships', name)),
        pointer('/data/relationships', name),
      )
  }
}

const withMeant = (detail: Message, meant: string | null): Message =>
  meant === null ? detail : say`${detail} Did you mean ${meant}?`

function* relationshipFailures(value: unknown, relation: RelationShape, limits: LinkageLimits): Failures {
  const at = pointer('/data/relationships', relation.name)
  if (!isObject(value)) yield nonCompliant(say`The member ${relation.name} must be an object.`, at)
  else if (!Object.hasOwn(value, 'data')) yield nonCompliant(say`The member data is required.`, at)
  else yield* linkageFailures(value.data, relation, { relation: at, data: pointer(at, 'data') }, limits)
}

function* containerFailures(data: Members, container: Container): Failures {
  const at = pointer('/data', container)
  const value = own(data, container)
  if (value === undefined) return
  if (!isObject(value)) yield nonCompliant(say`The member ${container} must be an object.`, at)
  else {
    if (Object.hasOwn(value, 'type')) yield nonCompliant(say`The member ${container} cannot have a type field.`, at)
    if (Object.hasOwn(value, 'id')) yield nonCompliant(say`The member ${container} cannot have an id field.`, at)
  }
}

const isReserved = (name: string): boolean => name === 'type' || name === 'id'

function fieldsOf(data: Members, container: Container): (readonly [string, unknown])[] {
  const value = own(data, container)
  return isObject(value) ? namesOf(value).map((name) => [name, value[name]] as const) : []
}

/** The relation that a relationship endpoint writes to. */
export interface RelationshipShape extends RelationShape, LinkageLimits {}

const place = { relation: '/data', data: '/data' }

/**
 * The linkage of a relationship document. `null` is fine for every to-one relation: whether one is required is a rule.
 *
 * @throws JsonApiError 400 or 422 with every failure.
 * @example
 * parseRelationship({ data: [{ type: 'tags', id: '2' }] }, tags) // [{ type: 'tags', id: '2' }]
 */
export function parseRelationship(body: unknown, shape: RelationshipShape): Linkage {
  throwAll(failuresOf(body, shape))
  return toLinkage(isObject(body) ? body.data : null)
}

function* failuresOf(body: unknown, shape: RelationshipShape): Failures {
  if (!isObject(body) || !Object.hasOwn(body, 'data')) yield nonCompliant(say`The member data is required.`, '')
  else yield* linkageFailures(body.data, shape, place, shape)
}

/**
 * The `meta` of the document that a custom action is sent; without one, and without a document, an empty object.
 *
 * @throws JsonApiError 400
 * @example
 * parseMeta({ meta: { publishedAt: null } }) // { publishedAt: null }
 */
export function parseMeta(body: unknown): Members {
  const meta = isObject(body) ? own(body, 'meta') : undefined
  if (meta === undefined) return {}
  if (!isObject(meta)) throw nonCompliant(say`The member meta must be an object.`, '/meta')
  return meta
}

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
function* linkageFailures(
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
function toLinkage(data: unknown): Linkage {
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
