import { nonCompliant } from '../../document/errors.ts'
import { type Failures, textFailures } from '../../document/failures.ts'
import { isObject, type Members, own } from '../../document/members.ts'
import { pointer } from '../../document/pointer.ts'
import { say } from '../../document/text.ts'
import { type AtomicTarget, isCollection } from './target.ts'

// A `lid` is a name that a client gives to a resource that has no id yet (JSON:API 1.1, *Identification*): one `add` of an
// atomic request gives it, later operations use it in place of the id.

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
  yield* relationshipsFailures(data, dataAt, lids)
  if (isCollection(target)) yield* givenFailures(data, dataAt, { target, lids })
  else yield* useFailures(data, dataAt, lids)
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
