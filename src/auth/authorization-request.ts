import type { User } from '../model/register.ts'
import { type Operation, policyAction } from '../request/operation.ts'
import type { AuthContext } from './auth-context.ts'
import type { AuthorizationRequest } from './authorizer.ts'

/** What an authorizer is told of an operation. */
export const authorizationRequest = (
  ctx: AuthContext,
  operation: Operation,
  { value, byPolicy }: Pick<AuthorizationRequest, 'value' | 'byPolicy'>,
): AuthorizationRequest =>
  Object.freeze({
    user: ctx.user as User | null,
    services: ctx.server.services,
    type: operation.schema.type,
    action: policyAction(operation),
    method: ctx.method,
    url: ctx.at.url,
    document: ctx.body,
    relation: 'relation' in operation ? operation.relation.name : null,
    value,
    byPolicy,
  })
