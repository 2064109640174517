import { JsonApiError } from '../document/error.ts'

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
