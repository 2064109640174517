import { nothing } from '../condition/build.ts'
import type { Operation } from '../request/operation.ts'
import { isKeptElsewhere, keeperOf, type Relation } from '../schema/relation-kinds.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import type { AuthContext } from './auth-context.ts'
import { policyMethod } from './policy.ts'
import { fieldsFor } from './viewable.ts'
import { leavesToPolicy, resolveAuthorizer } from './who-decides.ts'

type LinkContext = Pick<AuthContext, 'server' | 'served' | 'abilityOf'>
type LinkAction = 'create' | 'update' | 'delete'

/**
 * Could the caller make or end some link of the relation, as far as the rows that keep the links are concerned. False is certain: no rule
 * for this caller allows what would be asked of them. True may still be refused, by the row or by code. Runs no query.
 */
export function mayLinkSome(ctx: LinkContext, relation: Relation, kind: Operation['kind'] = 'update'): boolean {
  if (!isKeptElsewhere(relation) || !relation.asksUpdate) return true
  if (relation.kind !== 'manyThrough') return mayChangeSome(ctx, relation, 'update', [relation.inverse])
  const { from, to } = relation.pivot
  return (
    (kind !== 'detach' && mayChangeSome(ctx, relation, 'create', [from.name, to.name])) ||
    (kind !== 'attach' && mayChangeSome(ctx, relation, 'delete', []))
  )
}

function mayChangeSome(
  ctx: LinkContext,
  relation: Parameters<typeof keeperOf>[0],
  action: LinkAction,
  fields: readonly string[],
): boolean {
  const { server, abilityOf } = ctx
  const schema = schemaOf(server.schemas, keeperOf(relation))
  const model = schema.model.name
  if (!server.authorizable || !schema.authorizable) return true
  const Authorizer = resolveAuthorizer(ctx, schema)
  if (Authorizer && !leavesToPolicy(Authorizer, action)) return true
  const policy = server.policies.get(model)
  if (!policy) return false
  const access = action === 'delete' ? null : fieldsFor(ctx, model, action)
  const isDenied = (field: string) => {
    const condition = access?.stored.get(field)
    return condition !== undefined && (action === 'create' || condition === nothing)
  }
  if (fields.some(isDenied)) return false
  return policyMethod(policy, action) !== null || abilityOf(model).allowsSome(action)
}
