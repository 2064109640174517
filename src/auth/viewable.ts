import type { Where } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { policyFile, policyMethod } from './policy.ts'

/**
 * Where a server or a type lists only what the caller may `view`: the condition that the rules make of it; null where it does not.
 *
 * @throws Error when `view` is decided by a method, which no query can be made of.
 */
export function viewableOnly(
  ctx: Pick<RequestContext, 'server' | 'abilityOf'>,
  { authorizable, model, viewAnyByView }: ResourceSchema,
): Where | null {
  const { server } = ctx
  if (!(viewAnyByView ?? server.viewAnyByView) || !server.authorizable || !authorizable) return null
  const policy = server.policies.get(model.name)
  if (policy && policyMethod(policy, 'view')) {
    throw new Error(`${policyFile(model.name)}: viewAnyByView needs rules for view, but view() is a method.`)
  }
  return ctx.abilityOf(model.name).whereFor('view')
}
