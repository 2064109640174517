import { nonCompliant } from '../../document/errors.ts'
import type { Failures } from '../../document/failures.ts'
import { isObject, type Members, own } from '../../document/members.ts'
import { pointer } from '../../document/pointer.ts'
import { say } from '../../document/text.ts'
import type { AtomicShape } from './target.ts'

// `meta: { upsert: { by: ['slug'] } }` of an `update`: docs/profiles/upsert.md.

/** The fields of an upsert without failures. */
export const upsertFields = ({ meta }: Members): readonly string[] =>
  (meta as { upsert: { by: readonly string[] } }).upsert.by

/** What is wrong with an upsert, beyond what every operation on a resource may have wrong. */
export function* upsertFailures(operation: Members, at: string, shape: AtomicShape): Failures {
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
