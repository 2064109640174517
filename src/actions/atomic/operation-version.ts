import { nonCompliant } from '../../document/errors.ts'
import type { Failures } from '../../document/failures.ts'
import { isObject, type Members, own } from '../../document/members.ts'
import { pointer } from '../../document/pointer.ts'
import { say } from '../../document/text.ts'
import type { AtomicTarget } from './target.ts'

/** The version of a resource that an operation is about. */
export interface NamedVersion {
  readonly text: string
  /** Where the operation says so, from itself on: `/ref/meta/version`. */
  readonly pointer: string
}

/** `meta.version` of the `ref`, of the resource object, or of the operation, whichever comes first; null for none. */
export function versionNamedBy(operation: Members, target: AtomicTarget): NamedVersion | null {
  for (const [at, value] of named(operation, target)) return { text: String(value), pointer: at }
  return null
}

/** What is wrong with the versions that an operation names. */
export function* versionFailures(operation: Members, at: string, target: AtomicTarget): Failures {
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
