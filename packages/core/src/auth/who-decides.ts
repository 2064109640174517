import { memo } from '@prismapi/jsonapi/model/memo'
import { unknownServices } from '@prismapi/jsonapi/model/register'
import { type DecidedKind, decidedKind, type Operation } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { factsOf } from '../validation/request/request-base.ts'
import type { RequestClass } from '../validation/request/request-classes.ts'
import { ResourceRequest } from '../validation/request/resource-request.ts'
import type { AuthContext } from './auth-context.ts'
import { type AuthorizerClass, PolicyAuthorizer } from './authorizer.ts'

/**
 * The authorizer of a type: the one registered for its schema in the serving phase, else the one beside the schema,
 * else the server's default. Null where the policy decides.
 */
export const resolveAuthorizer = (
  ctx: Pick<AuthContext, 'server' | 'served'>,
  { type }: ResourceSchema,
): AuthorizerClass | null =>
  ctx.served.authorizers.get(type) ?? ctx.server.authorizers.get(type) ?? ctx.served.defaultAuthorizer

// An application may declare a method as a field as well, so instances are compared, not prototypes.

/** Does the request class have an `authorize()` of its own. */
export const decidesItself = memo((Class: RequestClass): boolean => {
  try {
    return (
      new Class(factsOf(anOperation, { caller: null, services: unknownServices })).authorize !==
      ResourceRequest.prototype.authorize
    )
  } catch {
    // The constructor reads the request, which is missing here: such a class may decide anything.
    return true
  }
})

const anOperation = { kind: 'viewAny' } as Operation

const policyKinds = memo((Authorizer: AuthorizerClass): ((kind: DecidedKind) => boolean) => {
  const authorizer = new Authorizer()
  return (kind) => authorizer[kind] === PolicyAuthorizer.prototype[kind]
})

/** Does the authorizer leave this kind of operation to the policy. */
export const leavesToPolicy = (Authorizer: AuthorizerClass, kind: Operation['kind']): boolean =>
  policyKinds(Authorizer)(decidedKind(kind)) && (kind !== 'forceDelete' || policyKinds(Authorizer)('delete'))
