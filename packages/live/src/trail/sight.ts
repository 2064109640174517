import { fetchOne } from '@prismapi/core/actions/fetch-one'
import { isDecidedByRequest, leavesToPolicy, resolveAuthorizer } from '@prismapi/core/auth/authorizer'
import { isAboveCeiling } from '@prismapi/core/auth/caller'
import { policyMethod } from '@prismapi/core/auth/policy'
import type { ServerContext } from '@prismapi/core/server/serving'
import { isEverything } from '@prismapi/jsonapi/condition/build'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { withParts } from '@prismapi/jsonapi/request/hook-context'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

/**
 * Whether the caller may see each row of a type: no scope and no rule of `view` hides any, and no code decides. A
 * deleted row could have been any of them.
 */
export function seesAll({ server, user, served, rows, abilityOf }: ServerContext, schema: ResourceSchema): boolean {
  const { name } = schema.model
  if (rows.hides('named', name) || isAboveCeiling(user, schema, 'view')) return false
  if (isDecidedByRequest(server, name)) return false
  if (!server.authorizable || !schema.authorizable) return true
  const Authorizer = resolveAuthorizer({ server, served }, schema)
  if (Authorizer && !leavesToPolicy(Authorizer, 'view')) return false
  const policy = server.policies.get(name)
  return policy !== undefined && !policyMethod(policy, 'view') && isEverything(abilityOf(name).conditionFor('view'))
}

/** Whether the caller may see a resource that is there: GET of it answers. */
export async function seesOne(ctx: ServerContext, schema: ResourceSchema, id: string): Promise<boolean> {
  const url = new URL(`${ctx.server.baseUrl}/${schema.type}/${encodeURIComponent(id)}`)
  try {
    await fetchOne(withParts(ctx, { at: { url, search: '' } }), { kind: 'view', schema, id })
    return true
  } catch (error) {
    if (!(error instanceof JsonApiError) || ![401, 403, 404].includes(error.status)) throw error
    return false
  }
}
