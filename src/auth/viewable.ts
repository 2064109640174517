import type { Scopes, Where } from '../model/where.ts'
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
  if (!(viewAnyByView ?? (server.viewAnyByView || server.viewEverywhere))) return null
  return server.authorizable && authorizable ? viewable(ctx, model.name) : null
}

const noScopes: Scopes = new Map()

/**
 * Where a server asks the policies everywhere: the rows of each model that the caller may `view`, as one more scope.
 *
 * @throws Error when `view` is decided by a method, which no query can be made of.
 */
export function viewableRows(ctx: Pick<RequestContext, 'server' | 'abilityOf'>): Scopes {
  const { server } = ctx
  if (!server.viewEverywhere || !server.authorizable) return noScopes
  const asked = [...server.schemas.byModel].filter(([, schema]) => schema.authorizable)
  return new Map(asked.map(([model]) => [model, viewable(ctx, model)]))
}

function viewable({ server, abilityOf }: Pick<RequestContext, 'server' | 'abilityOf'>, model: string): Where {
  const policy = server.policies.get(model)
  if (policy && policyMethod(policy, 'view')) {
    throw new Error(
      `${policyFile(model)}: viewAnyByView and viewEverywhere need rules for view, but view() is a method.`,
    )
  }
  return abilityOf(model).whereFor('view')
}
