import { type Awaitable, after } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import { type Operation, policyAction } from '../request/operation.ts'
import type { AuthContext } from './auth-context.ts'
import { type Decision, deny, policyFault, toDecision, withFault } from './decision.ts'
import type { LazyRelation } from './lazy-relation.ts'
import { type AnyPolicy, policyFile, policyMethod } from './policy.ts'

type DecisionContext = Pick<AuthContext, 'server' | 'user' | 'abilityOf'>

export interface DecisionSubject {
  /** The row of the URL; null for actions on a type. */
  readonly row: Row | null
  /** The submitted value where a relationship is written, else null. */
  readonly value: LazyRelation | null
}

/** What the policies say: the method named for the action, else the rules that name it, else no. */
export function policyDecision(
  ctx: DecisionContext,
  operation: Operation,
  { row, value }: DecisionSubject,
): Awaitable<Decision> {
  const model = operation.schema.model.name
  const policy = ctx.server.policies.get(model)
  if (!policy) return undecided(ctx, `No policy decides on ${operation.schema.type}: add ${policyFile(model)}.`)
  const action = policyAction(operation)
  if (policyMethod(policy, action)) return byMethod(policy, model, action, argumentsOf(ctx.user, row, value))
  const ability = ctx.abilityOf(model)
  if (ability.names(action)) return ability.decide(action, row)
  const cure = `No method and no rule of ${policyFile(model)} names ${action} for this user.`
  return undecided(ctx, `This action is unauthorized. ${cure}`)
}

/** No policy names the action, so it is denied; outside of production the message says the cure. */
const undecided = (ctx: DecisionContext, cure: string): Decision => (ctx.server.production ? deny() : deny(cure))

const argumentsOf = (user: unknown, row: Row | null, value: LazyRelation | null): readonly unknown[] => {
  if (!row) return [user]
  return value ? [user, row, value] : [user, row]
}

const byMethod = (policy: AnyPolicy, model: string, action: string, args: readonly unknown[]): Awaitable<Decision> =>
  withFault(
    () => after(policyMethod(policy, action)?.apply(policy, [...args]), toDecision),
    (error) => policyFault(policyFile(model), action, error),
  )
