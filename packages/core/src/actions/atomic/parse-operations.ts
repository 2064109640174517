import { type Failures, throwAll } from '@prismapi/jsonapi/document/error'
import { nonCompliant, notSupported } from '@prismapi/jsonapi/document/errors'
import { textFailures } from '@prismapi/jsonapi/document/parse-document'
import { say } from '@prismapi/jsonapi/document/text'
import { isObject, type Members, own, pointer } from '@prismapi/jsonapi/document/types'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import {
  type AtomicShape,
  type AtomicTarget,
  isCollection,
  isUpsert,
  lidFailures,
  type OperationCode,
  targetOf,
  textOf,
} from './target.ts'

/**
 * One operation of the extension `https://jsonapi.org/ext/atomic`, right in its syntax.
 *
 * @internal
 */
export interface AtomicOperation {
  /** `/atomic:operations/0` */
  readonly pointer: string
  readonly op: OperationCode
  readonly target: AtomicTarget
  /** Undefined where none was sent. */
  readonly data: unknown
  /** The name by which later operations mean the resource that this one adds. */
  readonly lid: string | null
  /** The fields that tell which resource is updated, or else added; null for every other operation. */
  readonly upsertBy: readonly string[] | null
  /** The version that the resource must have; null where the operation does not say. */
  readonly version: NamedVersion | null
  /** What is done with the resource in the place of `op`. No document has it: a form of a page stands for such ones. */
  readonly action?: PlannedAction
}

/** An action of the application at one resource, and the document that it takes. */
export interface PlannedAction {
  readonly action: Action
  readonly body: unknown
}

/** Does it add a resource. */
export const isAddition = ({ op, target }: AtomicOperation): boolean => op === 'add' && isCollection(target)

const member = 'atomic:operations'

/**
 * The operations of an atomic request, in their order.
 *
 * @throws JsonApiError with what is wrong with the syntax of all of them: 400, or 403 when they agree on it.
 * @example
 * parseOperations({ 'atomic:operations': [{ op: 'remove', ref: { type: 'posts', id: '1' } }] }, shape)
 */
export function parseOperations(body: unknown, shape: AtomicShape): readonly AtomicOperation[] {
  throwAll(listFailures(body, shape))
  const operations = (body as Members)[member] as readonly Members[]
  throwAll(allFailures(operations, shape))
  return operations.map((operation, i) => toAtomicOperation(operation, pointer(`/${member}`, i), shape))
}

function* listFailures(body: unknown, { maxOperations }: AtomicShape): Failures {
  const document = isObject(body) ? body : {}
  const operations = own(document, member)
  const at = `/${member}`
  for (const name of ['data', 'included', 'atomic:results']) {
    if (!Object.hasOwn(document, name)) continue
    yield nonCompliant(say`The member ${name} cannot stand beside ${member}.`, pointer('', name))
  }
  if (operations === undefined) yield nonCompliant(say`The member ${member} is required.`, '')
  else if (!Array.isArray(operations)) yield nonCompliant(say`The member ${member} must be an array.`, at)
  else if (operations.length === 0) yield nonCompliant(say`The member ${member} cannot be empty.`, at)
  else if (operations.length > maxOperations)
    yield nonCompliant(say`The member ${member} cannot have more than ${maxOperations} items.`, at)
}

function* allFailures(operations: readonly unknown[], shape: AtomicShape): Failures {
  const lids = new Set<string>()
  for (const [i, operation] of operations.entries()) {
    const at = pointer(`/${member}`, i)
    if (isObject(operation)) yield* operationFailures(operation, at, shape, lids)
    else yield nonCompliant(say`The member ${i} must be an object.`, at)
  }
}

function toAtomicOperation(operation: Members, at: string, shape: AtomicShape): AtomicOperation {
  const data = own(operation, 'data')
  const target = targetOf(operation, shape) as AtomicTarget
  return {
    pointer: at,
    op: operation.op as OperationCode,
    target,
    data,
    lid: isCollection(target) && isObject(data) ? textOf(data, 'lid') : null,
    upsertBy: isUpsert(operation, shape) ? upsertFields(operation) : null,
    version: versionNamedBy(operation, target),
  }
}

const codes: readonly unknown[] = ['add', 'update', 'remove'] satisfies OperationCode[]

/**
 * All that is wrong with the syntax of one operation. `lids` are those of the operations before it; its own is added.
 * What `data` may say of its type is the business of the endpoint that the operation stands for.
 */
function* operationFailures(operation: Members, at: string, shape: AtomicShape, lids: Set<string>): Failures {
  const op = own(operation, 'op')
  if (op === undefined) yield nonCompliant(say`The member op is required.`, at)
  else if (!codes.includes(op)) yield nonCompliant(say`The member op must be add, update or remove.`, pointer(at, 'op'))
  const failures = [...targetFailures(operation, at, shape)]
  yield* failures
  const target = failures.length === 0 && codes.includes(op) ? targetOf(operation, shape) : null
  if (!target) return
  yield* dataFailures(operation, at, target)
  yield* versionFailures(operation, at, target)
  if (!supports(operation, target, shape))
    yield notSupported(403, say`The operation ${op} is not supported by its target.`, pointer(at, 'op'))
  yield* lidFailures(operation, at, { target, lids })
}

function* targetFailures(operation: Members, at: string, shape: AtomicShape): Failures {
  const ref = own(operation, 'ref')
  const href = own(operation, 'href')
  if (ref !== undefined && href !== undefined) yield nonCompliant(say`The members ref and href exclude each other.`, at)
  else if (isUpsert(operation, shape)) {
    const failures = [...resourceFailures(operation, at, shape)]
    yield* failures.length > 0 ? failures : upsertFailures(operation, at, shape)
  } else if (ref !== undefined) yield* refFailures(ref, pointer(at, 'ref'), shape)
  else if (href !== undefined) yield* hrefFailures(href, pointer(at, 'href'), shape)
  else if (own(operation, 'op') === 'remove') yield nonCompliant(say`The member ref or href is required.`, at)
  else {
    const failures = [...resourceFailures(operation, at, shape)]
    yield* failures
    if (failures.length === 0 && own(operation, 'op') === 'update')
      yield* nameFailures(operation.data as Members, pointer(at, 'data'))
  }
}

function* refFailures(ref: unknown, at: string, shape: AtomicShape): Failures {
  if (!isObject(ref)) {
    yield nonCompliant(say`The member ref must be an object.`, at)
    return
  }
  const failures = [...typeFailures(ref, at, shape), ...nameFailures(ref, at)]
  yield* failures
  const name = own(ref, 'relationship')
  if (name === undefined) return
  const place = pointer(at, 'relationship')
  if (typeof name !== 'string') yield nonCompliant(say`The member relationship must be a string.`, place)
  else if (failures.length === 0 && !shape.isRelationship(String(ref.type), name))
    yield nonCompliant(say`The field ${name} is not a supported relationship.`, place)
}

function* hrefFailures(href: unknown, at: string, shape: AtomicShape): Failures {
  if (typeof href !== 'string') yield nonCompliant(say`The member href must be a string.`, at)
  else if (shape.targetOf(href) === null)
    yield nonCompliant(
      say`The member href must be the URL of a collection, a resource or a relationship of this server, without a query.`,
      at,
    )
}

/** Where there is no target beside it, the resource object says what the operation is about. */
function* resourceFailures(operation: Members, operationAt: string, shape: AtomicShape): Failures {
  const at = pointer(operationAt, 'data')
  const data = own(operation, 'data') ?? null
  if (data === null)
    yield nonCompliant(say`The member data is required.`, Object.hasOwn(operation, 'data') ? at : operationAt)
  else if (!isObject(data)) yield nonCompliant(say`The member data must be an object.`, at)
  else yield* typeFailures(data, at, shape)
}

function* typeFailures(object: Members, at: string, shape: AtomicShape): Failures {
  const failures = [...textFailures(object, 'type', at)]
  yield* failures
  const type = String(own(object, 'type'))
  if (failures.length === 0 && !shape.isType(type))
    yield notSupported(400, say`Resource type ${type} is not recognised.`, pointer(at, 'type'))
}

/** An `id`, or the `lid` in its place. */
function* nameFailures(object: Members, at: string): Failures {
  if (!Object.hasOwn(object, 'lid')) yield* textFailures(object, 'id', at)
  else if (Object.hasOwn(object, 'id')) yield nonCompliant(say`The members id and lid exclude each other.`, at)
  else yield* textFailures(object, 'lid', at)
}

function* dataFailures(operation: Members, at: string, { relationship }: AtomicTarget): Failures {
  const isNeeded = relationship !== null || own(operation, 'op') !== 'remove'
  if (isNeeded && !Object.hasOwn(operation, 'data')) yield nonCompliant(say`The member data is required.`, at)
}

function supports(operation: Members, target: AtomicTarget, shape: AtomicShape): boolean {
  if (!isUpsert(operation, shape)) return shape.supports(operation.op as OperationCode, target)
  return shape.supports('add', target) && shape.supports('update', { ...target, id: '' })
}

/** The version of a resource that an operation is about. */
export interface NamedVersion {
  readonly text: string
  /** Where the operation says so, from itself on: `/ref/meta/version`. */
  readonly pointer: string
}

/** `meta.version` of the `ref`, of the resource object, or of the operation, whichever comes first; null for none. */
function versionNamedBy(operation: Members, target: AtomicTarget): NamedVersion | null {
  for (const [at, value] of named(operation, target)) return { text: String(value), pointer: at }
  return null
}

/** What is wrong with the versions that an operation names. */
function* versionFailures(operation: Members, at: string, target: AtomicTarget): Failures {
  for (const [place, value] of named(operation, target))
    if (typeof value !== 'string' && !Number.isSafeInteger(value))
      yield nonCompliant(say`The member version must be a string or an integer.`, at + place)
}

function* named(operation: Members, { id, lid, relationship }: AtomicTarget): Generator<readonly [string, unknown]> {
  // What is still to be added has no version.
  if (id === null && lid === null) return
  const places: [string, unknown][] = [['/ref', own(operation, 'ref')]]
  // The data of a relationship are about its targets.
  if (relationship === null) places.push(['/data', own(operation, 'data')])
  for (const [at, object] of [...places, ['', operation] as const]) {
    const meta = isObject(object) ? own(object, 'meta') : undefined
    if (isObject(meta) && Object.hasOwn(meta, 'version')) yield [pointer(at, 'meta', 'version'), meta.version]
  }
}

// `meta: { upsert: { by: ['slug'] } }` of an `update`: docs/profiles/upsert.md.

/** The fields of an upsert without failures. */
const upsertFields = ({ meta }: Members): readonly string[] => (meta as { upsert: { by: readonly string[] } }).upsert.by

/** What is wrong with an upsert, beyond what every operation on a resource may have wrong. */
function* upsertFailures(operation: Members, at: string, shape: AtomicShape): Failures {
  for (const name of ['ref', 'href']) {
    if (!Object.hasOwn(operation, name)) continue
    yield nonCompliant(say`An upsert has no ${name}: its data says what it is about.`, pointer(at, name))
  }
  if (Object.hasOwn(operation.data as Members, 'id'))
    yield nonCompliant(say`An upsert has no id: its fields say which resource it is about.`, pointer(at, 'data', 'id'))
  const failures = [...byFailures(operation.meta as Members, pointer(at, 'meta', 'upsert'))]
  yield* failures
  if (failures.length === 0) yield* keyFailures(operation, at, shape)
}

function* byFailures(meta: Members, at: string): Failures {
  const upsert = own(meta, 'upsert')
  const by = isObject(upsert) ? own(upsert, 'by') : undefined
  if (!isObject(upsert)) yield nonCompliant(say`The member upsert must be an object.`, at)
  else if (by === undefined) yield nonCompliant(say`The member by is required.`, at)
  else if (!Array.isArray(by) || by.length === 0 || !by.every((name) => typeof name === 'string'))
    yield nonCompliant(say`The member by must be a list of fields.`, pointer(at, 'by'))
}

function* keyFailures(operation: Members, at: string, shape: AtomicShape): Failures {
  const data = operation.data as Members
  const by = upsertFields(operation)
  if (!shape.isNaturalKey(String(data.type), by)) {
    const names = by.join(', ')
    yield nonCompliant(say`No unique key of ${data.type} consists of ${names}.`, pointer(at, 'meta', 'upsert', 'by'))
    return
  }
  for (const name of by)
    if (fieldOf(data, name) == null)
      yield nonCompliant(
        say`The field ${name} is required: it says which resource the upsert is about.`,
        pointer(at, 'data'),
      )
}

/** The value of a field; of a relationship its linkage. */
export function fieldOf(data: Members, name: string): unknown {
  const attributes = own(data, 'attributes')
  if (isObject(attributes) && Object.hasOwn(attributes, name)) return attributes[name]
  const relationships = own(data, 'relationships')
  const relationship = isObject(relationships) ? own(relationships, name) : null
  return isObject(relationship) ? own(relationship, 'data') : null
}
