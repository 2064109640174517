import { JsonApiError } from '../document/error.ts'
import { type Awaitable, isPromise } from '../model/awaitable.ts'

/** A fault in the application's authorization code: answered with 500, and nothing is written. */
class PolicyFault extends Error {
  override readonly name = 'PolicyFault'
}

/**
 * Names the place and the action for the log; `cause` is what was thrown. A JSON:API error that the application throws
 * on purpose stays what it is, and so does a fault that passes an authorizer which asked the policy.
 */
export function policyFault(where: string, action: string, error: unknown): Error {
  if (error instanceof JsonApiError || error instanceof PolicyFault) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new PolicyFault(`${where}, ${action}: ${reason}`, { cause: error })
}

/** What the application's code answers. What it throws, at once or later, becomes the fault. */
export function asked<T>(work: () => Awaitable<T>, toFault: (error: unknown) => Error): Awaitable<T> {
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
