import { memo } from '../model/memo.ts'
import type { RequestContext } from '../request/context.ts'
import { type Operation, policyAction } from '../request/operation.ts'
import type { RequestClass } from '../validation/classes/request-classes.ts'
import { newState } from '../validation/classes/request-state.ts'
import { ResourceRequest } from '../validation/classes/resource-request.ts'
import { isUnruled } from '../validation/running/unruled.ts'
import type { AuthorizerClass } from './authorizer.ts'
import { policyMethod } from './policy.ts'
import { PolicyAuthorizer } from './policy-authorizer.ts'
import { resolveAuthorizer } from './resolve-authorizer.ts'

/**
 * Could the caller be allowed the operation, on some row. False is certain: no rule for this caller allows it, or the
 * relationship has none by which it is written. True may still be refused, by the row or by code that only a request can
 * ask: a policy's method, an authorizer, `authorize()` of a request class. Runs none of these, and no query.
 */
export const allowsSome = (ctx: RequestContext, operation: Operation): boolean =>
  isPermittedSome(ctx, operation) && !isUnruled(ctx, operation)

function isPermittedSome(ctx: RequestContext, operation: Operation): boolean {
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

// Of instances, because a method may be a field as well.

const decidesItself = memo((Class: RequestClass): boolean => {
  try {
    return new Class(newState(anOperation, null)).authorize !== ResourceRequest.prototype.authorize
  } catch {
    // A class that looks at its request as it is made may do anything.
    return true
  }
})

const anOperation = { kind: 'viewAny' } as Operation

const isPolicys = memo((Authorizer: AuthorizerClass): ((kind: Operation['kind']) => boolean) => {
  const authorizer = new Authorizer()
  return (kind) => authorizer[kind] === PolicyAuthorizer.prototype[kind]
})

/** Is the method of an authorizer the one that asks the policy. */
const leavesToPolicy = (Authorizer: AuthorizerClass, kind: Operation['kind']): boolean =>
  isPolicys(Authorizer)(kind) && (kind !== 'forceDelete' || isPolicys(Authorizer)('delete'))
