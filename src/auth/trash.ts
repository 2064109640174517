import type { Awaitable } from '../model/awaitable.ts'
import type { RequestContext } from '../request/context.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { toDecision } from './decision.ts'
import { policyFile, policyMethod } from './policy.ts'
import { policyFault } from './policy-fault.ts'

type TrashContext = Pick<RequestContext, 'server' | 'user' | 'abilityOf'>

/** The models whose softly deleted rows the user may see: where the schema shows the mark, and the policy allows `viewTrashed`. */
export const visibleTrash = (ctx: TrashContext): Awaitable<ReadonlySet<string>> =>
  ctx.server.softDeleted.some(({ trashMark }) => trashMark !== null) ? askPolicies(ctx) : none

const none: ReadonlySet<string> = new Set()

async function askPolicies(ctx: TrashContext): Promise<ReadonlySet<string>> {
  const visible = new Set<string>()
  for (const schema of ctx.server.softDeleted) {
    if (schema.trashMark !== null && (await mayView(ctx, schema))) visible.add(schema.model.name)
  }
  return visible
}

async function mayView(
  { server, user, abilityOf }: TrashContext,
  { authorizable, model }: ResourceSchema,
): Promise<boolean> {
  if (!server.authorizable || !authorizable) return true
  const policy = server.policies.get(model.name)
  if (!policy) return false
  const method = policyMethod(policy, 'viewTrashed')
  if (!method) {
    const ability = abilityOf(model.name)
    return ability.names('viewTrashed') && (await ability.decide('viewTrashed', null)).allowed
  }
  try {
    return toDecision(await method.call(policy, user)).allowed
  } catch (error) {
    throw policyFault(policyFile(model.name), 'viewTrashed', error)
  }
}
