import { fetchOne } from '../../actions/fetch-one.ts'
import { policyMethod } from '../../auth/policy.ts'
import { decidesItself, leavesToPolicy, resolveAuthorizer } from '../../auth/who-decides.ts'
import { isEverything } from '../../condition/build.ts'
import { scopeOf } from '../../condition/scopes.ts'
import { JsonApiError } from '../../document/error.ts'
import { withParts } from '../../request/with-parts.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { ServerContext } from '../../server/server-context.ts'

/**
 * Whether each row of a type is one that the caller may see: neither a scope nor a rule of `view` hides any, and no code decides. What
 * was removed could have been any of them.
 */
export function seesAll({ server, served, abilityOf }: ServerContext, schema: ResourceSchema): boolean {
  const { name } = schema.model
  if (!isEverything(scopeOf(served.scopesById, name))) return false
  if (!server.authorizable || !schema.authorizable) return true
  const { request: Class } = server.requests.get(name) ?? {}
  if (Class && decidesItself(Class)) return false
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
