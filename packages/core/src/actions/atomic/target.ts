import type { Failures } from '@prismapi/jsonapi/document/error'
import { nonCompliant } from '@prismapi/jsonapi/document/errors'
import { textFailures } from '@prismapi/jsonapi/document/parse-document'
import { say } from '@prismapi/jsonapi/document/text'
import { isObject, type Members, own, pointer } from '@prismapi/jsonapi/document/types'

export type OperationCode = 'add' | 'update' | 'remove'

/** The methods of the requests that do the same. */
export const methodOf: Readonly<Record<OperationCode, string>> = { add: 'POST', update: 'PATCH', remove: 'DELETE' }

/** What an operation is about; with neither `id` nor `lid` it is the collection of the type. */
export interface AtomicTarget {
  readonly type: string
  readonly id: string | null
  /** The name that an earlier operation gave to the resource that it adds. */
  readonly lid: string | null
  readonly relationship: string | null
}

/** What the server knows of operations. */
export interface AtomicShape {
  readonly maxOperations: number
  /** Does `meta.upsert` mean something: the client applied its profile. */
  readonly hasUpsert: boolean
  isType(type: string): boolean
  isRelationship(type: string, name: string): boolean
  /** Do these fields together tell one resource of the type from all others. */
  isNaturalKey(type: string, fields: readonly string[]): boolean
  supports(op: OperationCode, target: AtomicTarget): boolean
  /** What a URL of this server names; null for every other text. */
  targetOf(href: string): AtomicTarget | null
}

/** Is it about no resource that is there, but about one to come. */
export const isCollection = ({ id, lid }: AtomicTarget): boolean => id === null && lid === null

/** What an operation is about; null where it does not say so in good form. */
export function targetOf(operation: Members, shape: AtomicShape): AtomicTarget | null {
  const href = own(operation, 'href')
  const ref = own(operation, 'ref')
  const data = own(operation, 'data')
  if (typeof href === 'string') return shape.targetOf(href)
  if (isObject(ref)) return namedBy(ref, textOf(ref, 'relationship'))
  if (!isObject(data)) return null
  const isNew = own(operation, 'op') === 'add' || isUpsert(operation, shape)
  return isNew ? { ...namedBy(data, null), id: null, lid: null } : namedBy(data, null)
}

/** Does the operation ask for an upsert; without the profile, `meta.upsert` means nothing. */
export function isUpsert(operation: Members, { hasUpsert }: Pick<AtomicShape, 'hasUpsert'>): boolean {
  const meta = own(operation, 'meta')
  return hasUpsert && own(operation, 'op') === 'update' && isObject(meta) && Object.hasOwn(meta, 'upsert')
}

const namedBy = (object: Members, relationship: string | null): AtomicTarget => ({
  type: textOf(object, 'type') ?? '',
  id: textOf(object, 'id'),
  lid: textOf(object, 'lid'),
  relationship,
})

/** A member that is a string; null where it is missing, or anything else. */
export function textOf(object: Members, name: string): string | null {
  const value = own(object, name)
  return typeof value === 'string' ? value : null
}

// A `lid` is a name that a client gives to a resource that has no id yet (JSON:API 1.1, *Identification*). The `add` of
// an atomic request introduces it, and later operations use it in place of the id.

/** The ids that local ones stand for, by `lidKey`. */
export type IdsOfLids = ReadonlyMap<string, string>

/** Local ids are unique for each type. */
export const lidKey = (type: string, lid: string): string => JSON.stringify([type, lid])

interface Lids {
  readonly target: AtomicTarget
  /** The keys of the lids given so far. */
  readonly lids: Set<string>
}

/** What is wrong with an operation's lids: each is used after it was given, and given once. */
export function* lidFailures(operation: Members, at: string, { target, lids }: Lids): Failures {
  const ref = own(operation, 'ref')
  if (isObject(ref)) yield* useFailures(ref, pointer(at, 'ref'), lids)
  const data = own(operation, 'data')
  const dataAt = pointer(at, 'data')
  if (target.relationship !== null) {
    yield* linkageFailures(data, dataAt, lids)
    return
  }
  if (!isObject(data)) return
  // The relationships of a new resource may lead to itself.
  if (isCollection(target)) yield* givenFailures(data, dataAt, { target, lids })
  yield* relationshipsFailures(data, dataAt, lids)
  if (!isCollection(target)) yield* useFailures(data, dataAt, lids)
}

function* relationshipsFailures(data: Members, at: string, lids: Lids['lids']): Failures {
  const relationships = own(data, 'relationships')
  if (!isObject(relationships)) return
  for (const [name, relationship] of Object.entries(relationships)) {
    if (!isObject(relationship)) continue
    yield* linkageFailures(own(relationship, 'data'), pointer(at, 'relationships', name, 'data'), lids)
  }
}

function* linkageFailures(linkage: unknown, at: string, lids: Lids['lids']): Failures {
  if (isObject(linkage)) yield* useFailures(linkage, at, lids)
  if (!Array.isArray(linkage)) return
  for (const [i, identifier] of linkage.entries())
    if (isObject(identifier)) yield* useFailures(identifier, pointer(at, i), lids)
}

function* useFailures(object: Members, at: string, lids: Lids['lids']): Failures {
  if (!Object.hasOwn(object, 'lid')) return
  const failures = [...textFailures(object, 'lid', at)]
  yield* failures
  const { type, lid } = object
  if (failures.length > 0 || typeof type !== 'string') return
  if (Object.hasOwn(object, 'id')) yield nonCompliant(say`The members id and lid exclude each other.`, at)
  else if (!lids.has(lidKey(type, String(lid))))
    yield nonCompliant(
      say`No earlier operation adds a resource of type ${type} with the lid ${lid}.`,
      pointer(at, 'lid'),
    )
}

function* givenFailures(data: Members, at: string, { target, lids }: Lids): Failures {
  if (!Object.hasOwn(data, 'lid')) return
  const failures = [...textFailures(data, 'lid', at)]
  yield* failures
  if (failures.length > 0) return
  const key = lidKey(target.type, String(data.lid))
  if (lids.has(key)) yield nonCompliant(say`An earlier operation has the lid ${data.lid} already.`, pointer(at, 'lid'))
  lids.add(key)
}

/** A resource object, with the ids that its lids stand for in their place. */
export function withIds(data: unknown, ids: IdsOfLids): unknown {
  if (!isObject(data)) return data
  const relationships = own(data, 'relationships')
  const named = withId(data, ids)
  if (!isObject(relationships)) return named
  const replaced = Object.entries(relationships).map(([name, value]) => [name, relationshipWithIds(value, ids)])
  return { ...named, relationships: Object.fromEntries(replaced) }
}

const relationshipWithIds = (value: unknown, ids: IdsOfLids): unknown =>
  isObject(value) && Object.hasOwn(value, 'data') ? { ...value, data: linkageWithIds(value.data, ids) } : value

/** Linkage, with the ids that its lids stand for in their place. */
export function linkageWithIds(linkage: unknown, ids: IdsOfLids): unknown {
  if (Array.isArray(linkage)) return linkage.map((item) => (isObject(item) ? withId(item, ids) : item))
  return isObject(linkage) ? withId(linkage, ids) : linkage
}

// Of an added resource the lid is not known yet, and stays.
function withId(object: Members, ids: IdsOfLids): Members {
  const { lid, ...rest } = object
  const id = typeof lid === 'string' ? ids.get(lidKey(String(object.type), lid)) : undefined
  return id === undefined ? object : { ...rest, id }
}
