import { JsonApiError } from './error.ts'
import { nonCompliant } from './errors.ts'
import { type Members, own } from './members.ts'
import { pointer } from './pointer.ts'
import { say } from './text.ts'

/** What is wrong with a part of a document; lazy, so that a hostile document costs no more than is reported of it. */
export type Failures = Iterable<JsonApiError>

// Without it a body of 1 MB that consists of unknown names would be answered with 15 MB.
const maxReported = 1000

/**
 * Throws the failures of one stage together; returns when there are none.
 *
 * @throws JsonApiError with every failure, up to a thousand.
 */
export function throwAll(failures: Failures): void {
  const reported: JsonApiError[] = []
  for (const failure of failures) {
    if (reported.push(failure) === maxReported) break
  }
  const error = JsonApiError.all(reported)
  if (error) throw error
}

/** `type`, `id` and `lid` of resources and identifiers: there, a string, and not blank. */
export function* textFailures(object: Members, name: 'type' | 'id' | 'lid', at: string): Failures {
  const value = own(object, name)
  if (value === undefined) yield nonCompliant(say`The member ${name} is required.`, at)
  else if (typeof value !== 'string') yield nonCompliant(say`The member ${name} must be a string.`, pointer(at, name))
  else if (value.trim() === '') yield nonCompliant(say`The member ${name} cannot be empty.`, pointer(at, name))
}
