import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Text } from '@prismapi/jsonapi/document/text'
import { type Awaitable, isPromise } from '@prismapi/jsonapi/model/awaitable'
import { unavailableDatabase } from '../database/prisma/database-errors.ts'

/** What a policy or an authorizer decided. Made by `allow()` and `deny()`. */
export type Decision = Allowed | Denied

/** The action passes. */
export interface Allowed {
  /** True: it passes. */
  readonly allowed: true
  /** @internal */
  readonly by?: 'authorizer'
}

/** The action is denied. */
export interface Denied {
  /** False: it does not pass. */
  readonly allowed: false
  /** The `detail` of the error; null for the default one. */
  readonly message: Text | null
  /** The status of the answer when it is not the default 403. */
  readonly status: number | null
  /** @internal */
  readonly by?: 'authorizer'
}

/** What a method of a policy or an authorizer may return; anything else, such as a forgotten `return`, is a 500. */
export type PolicyAnswer = boolean | Decision | Promise<boolean | Decision>

const allowed: Allowed = Object.freeze({ allowed: true })
const plainDenial: Denied = Object.freeze({ allowed: false, message: null, status: null })

/**
 * Lets the action pass; the same as returning `true`.
 *
 * @example
 * export default class TagPolicy extends Policy<'Tag'> {
 *   override viewAny() {
 *     return allow()
 *   }
 * }
 */
export const allow = (): Decision => allowed

/** What `deny` is told beside its message. */
export interface DenyOptions {
  /** An HTTP status from 400 to 499 for everyone, guests too; 404 is "deny as not found". */
  readonly status?: number
}

/**
 * Denies the action: 403 with the message as its `detail`.
 *
 * @throws {Error} when `status` is no client error.
 * @see https://jsonapi.org/format/#crud-updating-responses
 * @example
 * export default class PostPolicy extends Policy<'Post'> {
 *   override update(user: User | null, post: RowOf<'Post'>) {
 *     return post.authorId === user?.id || deny('Only its author may edit a post.')
 *   }
 *
 *   override view(user: User | null, post: RowOf<'Post'>) {
 *     return post.publishedAt !== null || post.authorId === user?.id || deny('No such post.', { status: 404 })
 *   }
 * }
 */
export function deny(message?: Text, { status }: DenyOptions = {}): Decision {
  if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 499)) {
    throw new Error(`deny(…, { status: ${status} }): a denial is a client error. Give a status from 400 to 499.`)
  }
  if (message === undefined && status === undefined) return plainDenial
  return Object.freeze({ allowed: false, message: message ?? null, status: status ?? null })
}

/** What application code answered, as a decision. A forgotten `return` is a fault of the program, not a denial. */
export function toDecision(answer: unknown): Decision {
  if (answer === true) return allowed
  if (answer === false) return plainDenial
  if (isDecision(answer)) return answer
  throw new Error(`it returned ${describe(answer)}. Return true, false, allow() or deny().`)
}

const isDecision = (answer: unknown): answer is Decision =>
  typeof answer === 'object' && answer !== null && 'allowed' in answer && typeof answer.allowed === 'boolean'

const describe = (answer: unknown): string => (typeof answer === 'object' && answer ? 'an object' : String(answer))

/** A fault in the application's authorization code: the client gets 500, and no write happens. */
class PolicyFault extends Error {
  override readonly name = 'PolicyFault'
}

/**
 * Names the place and the action for the log; `cause` is what was thrown. A `JsonApiError` that the application throws
 * on purpose stays as it is, and so does a fault that passes through an authorizer which asked the policy. A database
 * that is away is 503.
 */
export function policyFault(where: string, action: string, error: unknown): Error {
  if (error instanceof JsonApiError || error instanceof PolicyFault) return error
  const reason = error instanceof Error ? error.message : String(error)
  return unavailableDatabase(error) ?? new PolicyFault(`${where}, ${action}: ${reason}`, { cause: error })
}

/** What the application's code answers. What it throws, at once or later, becomes the fault. */
export function withFault<T>(work: () => Awaitable<T>, toFault: (error: unknown) => Error): Awaitable<T> {
  const fail = (error: unknown) => {
    throw toFault(error)
  }
  try {
    const answer = work()
    return isPromise(answer) ? answer.catch(fail) : answer
  } catch (error) {
    return fail(error)
  }
}
