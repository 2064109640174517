import { nonCompliant, notSupported } from '../../document/errors.ts'
import { type Failures, textFailures } from '../../document/failures.ts'
import { isObject, type Members, own } from '../../document/members.ts'
import { pointer } from '../../document/pointer.ts'
import { say } from '../../document/text.ts'
import { lidFailures } from './local-ids.ts'
import { versionFailures } from './operation-version.ts'
import { type AtomicShape, type AtomicTarget, isUpsert, type OperationCode, targetOf } from './target.ts'
import { upsertFailures } from './upsert-member.ts'

const codes: readonly unknown[] = ['add', 'update', 'remove'] satisfies OperationCode[]

/**
 * All that is wrong with the syntax of one operation. `lids` are those of the operations before it; its own is added.
 * What `data` may say of its type is the business of the endpoint that the operation stands for.
 */
export function* operationFailures(operation: Members, at: string, shape: AtomicShape, lids: Set<string>): Failures {
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
