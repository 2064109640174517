import { policyDecision } from '@prismapi/core/auth/authorize'
import { leavesToPolicy, resolveAuthorizer } from '@prismapi/core/auth/authorizer'
import { policyMethod } from '@prismapi/core/auth/policy'
import type { ServerContext } from '@prismapi/core/server/serving'
import { isModifyingRelationship, type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import { operationsOf } from '@prismapi/openapi/caller'

/**
 * The ids of operations that code of a policy denies this caller whatever the row is: it says no without looking. What
 * it says only once it has looked is not certain.
 */
export async function neverAllowed(ctx: ServerContext): Promise<ReadonlySet<string>> {
  const never = new Set<string>()
  for (const schema of ctx.server.schemas.byType.values())
    for (const [id, operation] of operationsOf(schema))
      if (isModifyingRelationship(operation) && (await deniesBlindly(ctx, operation))) never.add(id)
  return never
}

async function deniesBlindly(ctx: ServerContext, operation: Operation): Promise<boolean> {
  const { server } = ctx
  const { schema } = operation
  const policy = server.policies.get(schema.model.name)
  if (!server.authorizable || !schema.authorizable || !policy || !policyMethod(policy, policyAction(operation)))
    return false
  const Authorizer = resolveAuthorizer(ctx, schema)
  if (Authorizer && !leavesToPolicy(Authorizer, operation.kind)) return false
  try {
    return !(await policyDecision(ctx, operation, { row: unknown, value: unknown as never })).allowed
  } catch {
    return false
  }
}

const look = (): never => {
  throw new Error('Nothing is known of it: no request was sent.')
}

const unknown: Readonly<Record<string, unknown>> = new Proxy({}, { get: look, has: look, ownKeys: look })
