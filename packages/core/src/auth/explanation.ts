import { everything } from '@prismapi/jsonapi/condition/build'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Authority, ExplainedDecision, ExplainedRule } from '@prismapi/jsonapi/request/observer'
import { type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import type { NumberedRule } from './ability.ts'
import type { AuthContext } from './auth-context.ts'
import { resolveAuthorizer } from './authorizer.ts'
import type { Decision } from './decision.ts'
import { policyFile, policyMethod } from './policy.ts'

// Tells developers why an operation was allowed or denied. It is worked out afterwards, so other requests do not pay.

export interface ToExplain {
  readonly operation: Operation
  readonly row: Row | null
  /** The request class of this request, if its `authorize()` decided. */
  readonly request: object | null
  /** Null where authorization is turned off. */
  readonly decision: Decision | null
}

/** Says what decided on the operation, and in which file. */
function authorityOf(
  ctx: AuthContext,
  { operation, request, decision }: ToExplain,
): { readonly by: Authority; readonly place: string | null } {
  const { server } = ctx
  const { schema } = operation
  const action = policyAction(operation)
  if (request) return { by: 'request', place: `authorize() of ${request.constructor.name || 'the request class'}` }
  if (!server.authorizable || !schema.authorizable) return { by: 'unprotected', place: null }
  if (decision?.by === 'authorizer') {
    const Authorizer = resolveAuthorizer(ctx, schema)
    return { by: 'authorizer', place: `${operation.kind}() of ${Authorizer?.name || 'the authorizer'}` }
  }
  const policy = server.policies.get(schema.model.name)
  const file = policyFile(schema.model.name, policy)
  if (policy && policyMethod(policy, action)) return { by: 'method', place: `${action}() of ${file}` }
  return { by: policy && ctx.abilityOf(schema.model.name).names(action) ? 'rules' : 'nobody', place: file }
}

/** The whole explanation. Asks the database about rules that only the database can judge. */
export async function explain(ctx: AuthContext, decided: ToExplain): Promise<ExplainedDecision> {
  const { operation, row, decision } = decided
  const authority = authorityOf(ctx, decided)
  const isByRules = authority.by === 'rules' || authority.by === 'authorizer'
  const rules = isByRules ? await explainRules(ctx, operation, row) : []
  return {
    ...authority,
    operation,
    allowed: decision?.allowed ?? true,
    message: decision && !decision.allowed && decision.message !== null ? String(decision.message) : null,
    rules,
    decisive: authority.by === 'rules' ? decisiveOf(rules) : null,
  }
}

/** One count for each rule that memory cannot judge, all at once. */
function explainRules(ctx: AuthContext, operation: Operation, row: Row | null): Promise<readonly ExplainedRule[]> {
  const ability = ctx.abilityOf(operation.schema.model.name)
  return Promise.all(
    ability.apply(policyAction(operation), row).map(async ({ rule, number, holds }) => ({
      rule: number,
      effect: effectOf(rule),
      where: rule.conditions ?? null,
      because: rule.reason ?? null,
      holds: holds === 'ask' ? await ability.holds(row as Row, rule.conditions ?? everything) : holds,
    })),
  )
}

const effectOf = (rule: NumberedRule['rule']) => (rule.inverted ? ('cannot' as const) : ('can' as const))

/** The strongest rule that holds. A `cannot` that a null leaves open counts as holding. */
const decisiveOf = (rules: readonly ExplainedRule[]): number | null =>
  rules.find(({ effect, holds }) => holds === true || (effect === 'cannot' && holds === null))?.rule ?? null

/** The `detail` of a denial without a message of its own: what denied it, and where the cure would be. */
export function denialDetail(ctx: AuthContext, decided: ToExplain): string {
  const { by, place } = authorityOf(ctx, decided)
  if (by !== 'rules') return `${place} denies it.`
  const { operation, row } = decided
  const action = policyAction(operation)
  const rules = ctx.abilityOf(operation.schema.model.name).apply(action, row)
  const isAgainst = ({ rule, holds }: NumberedRule) => rule.inverted && holds !== false
  const [strongest] = rules.filter(({ holds }) => holds !== false)
  if (strongest && isAgainst(strongest) && strongest.holds !== 'ask') {
    const condition = strongest.rule.conditions ? ', …' : ''
    return `Rule ${strongest.number} of ${place}, cannot('${action}'${condition}), denies it.`
  }
  const allowing = rules.filter(({ rule }) => !rule.inverted).map(({ number }) => number)
  if (allowing.length === 0) return `No rule of ${place} allows ${action} to this user.`
  const named = `${allowing.length === 1 ? 'Rule' : 'Rules'} ${allowing.sort((a, b) => a - b).join(', ')}`
  return rules.some(isAgainst)
    ? `${named} of ${place} would allow ${action}, but not for this row, or a cannot forbids it.`
    : `${named} of ${place} would allow ${action}, but not for this row.`
}
