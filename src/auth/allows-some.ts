import { type Awaitable, after } from '../model/awaitable.ts'
import { isModifyingRelationship, type Operation, policyAction } from '../request/operation.ts'
import { isUnruled } from '../validation/request/unruled.ts'
import type { AuthContext } from './auth-context.ts'
import { deniesAlways } from './denies-always.ts'
import { mayLinkSome } from './may-link.ts'
import { policyMethod } from './policy.ts'
import { decidesItself, leavesToPolicy, resolveAuthorizer } from './who-decides.ts'

/**
 * Could the caller be allowed the operation, on some row. False is certain: no rule for this caller allows it, an authorizer
 * denies it whatever the row is, the relationship has no rule by which it is written, or no row that keeps its links may be changed. True may still be refused, by the row
 * or by code that needs a request: a policy's method, an authorizer, `authorize()` of a request class. Runs no query.
 */
export const allowsSome = (ctx: AuthContext, operation: Operation): Awaitable<boolean> =>
  after(
    isPermittedSome(ctx, operation),
    (isPermitted) => isPermitted && !isUnruled(ctx, operation) && mayWriteLinks(ctx, operation),
  )

const mayWriteLinks = (ctx: AuthContext, operation: Operation): boolean =>
  !isModifyingRelationship(operation) || mayLinkSome(ctx, operation.relation, operation.kind)

function isPermittedSome(ctx: AuthContext, operation: Operation): Awaitable<boolean> {
  const { server } = ctx
  const { schema } = operation
  const model = schema.model.name
  const Request = server.requests.get(model)?.request
  if (Request && decidesItself(Request)) return true
  if (!server.authorizable || !schema.authorizable) return true
  const Authorizer = resolveAuthorizer(ctx, schema)
  if (Authorizer && !leavesToPolicy(Authorizer, operation.kind)) {
    const isLeft = () => isLeftByPolicy(ctx, operation)
    return deniesAlways(Authorizer, ctx, { operation, isLeft }).then((denies) => !denies)
  }
  return isLeftByPolicy(ctx, operation)
}

function isLeftByPolicy({ server, abilityOf }: AuthContext, operation: Operation): boolean {
  const model = operation.schema.model.name
  const policy = server.policies.get(model)
  if (!policy) return false
  const action = policyAction(operation)
  return policyMethod(policy, action) !== null || abilityOf(model).allowsSome(action)
}
