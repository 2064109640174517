import { type Failures, throwAll } from '@prismapi/jsonapi/document/error'
import { nonCompliant } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { isObject, type Members, own, pointer } from '@prismapi/jsonapi/document/types'
import { type NamedVersion, operationFailures, upsertFields, versionNamedBy } from './operation-failures.ts'
import {
  type AtomicShape,
  type AtomicTarget,
  isCollection,
  isUpsert,
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
