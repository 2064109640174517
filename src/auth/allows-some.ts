import { type Operation, policyAction } from '../request/operation.ts'
import { isUnruled } from '../validation/request/unruled.ts'
import type { AuthContext } from './auth-context.ts'
import { policyMethod } from './policy.ts'
import { decidesItself, leavesToPolicy, resolveAuthorizer } from './who-decides.ts'

/**
 * Could the caller be allowed the operation, on some row. False is certain: no rule for this caller allows it, or the
 * relationship has none by which it is written. True may still be refused, by the row or by code that needs a request:
 * a policy's method, an authorizer, `authorize()` of a request class. Runs none of these, and no query.
 */
export const allowsSome = (ctx: AuthContext, operation: Operation): boolean =>
  isPermittedSome(ctx, operation) && !isUnruled(ctx, operation)

function isPermittedSome(ctx: AuthContext, operation: Operation): boolean {
  const { server } = ctx
  const { schema } = operation
  const model = schema.model.name
  const Request = server.requests.get(model)?.request
  if (Request && decidesItself(Request)) return true
  if (!server.authorizable || !schema.authorizable) return true
  const Authorizer = resolveAuthorizer(ctx, schema)
  if (Authorizer && !leavesToPolicy(Authorizer, operation.kind)) return true
  const policy = server.policies.get(model)
  if (!policy) return false
  const action = policyAction(operation)
  return policyMethod(policy, action) !== null || ctx.abilityOf(model).allowsSome(action)
}
