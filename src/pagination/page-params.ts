import { badParameter } from '../document/errors.ts'
import type { Failures } from '../document/failures.ts'
import { own } from '../document/members.ts'
import { type Message, say } from '../document/text.ts'
import type { PageParams } from './paginator.ts'

/** The largest page number: what the databases take as an integer. */
export const maxNumber = 2 ** 31 - 1

/** Below `maxNumber`, because a page is read with one row more than it shows. */
export const maxSize = maxNumber - 1

/** Keys that the strategy does not have. */
export function* keyFailures(params: PageParams, keys: readonly string[]): Failures {
  for (const key of Object.keys(params)) {
    if (!keys.includes(key)) yield failure(key, say`Page parameter ${key} is not allowed.`)
  }
}

/** A number that was sent: an integer from 1 to `max`. */
export function* countFailures(params: PageParams, key: string, max: number): Failures {
  if (!Object.hasOwn(params, key)) return
  const count = toCount(params[key])
  if (count === null) yield failure(key, say`Page parameter ${key} must be an integer of at least 1.`)
  else if (count > max) yield failure(key, say`Page parameter ${key} must not be greater than ${max}.`)
}

/** An id that was sent: whether a resource has it, only the collection knows. */
export function* idFailures(params: PageParams, key: string): Failures {
  if (Object.hasOwn(params, key) && sentId(params, key) === null)
    yield failure(key, say`Page parameter ${key} must be the id of a resource.`)
}

export const failure = (key: string, detail: Message) => badParameter(`page[${key}]`, detail)

export const sentCount = (params: PageParams, key: string): number | null => toCount(own(params, key))

export function sentId(params: PageParams, key: string): string | null {
  const id = own(params, key)
  return typeof id === 'string' && id !== '' ? id : null
}

// A number is what an application may write into `defaultPagination`; a query string has only texts.
function toCount(value: unknown): number | null {
  if (typeof value !== 'number' && !(typeof value === 'string' && /^\d+$/.test(value))) return null
  const count = Number(value)
  return count >= 1 && (typeof value === 'string' || Number.isSafeInteger(value)) ? count : null
}
