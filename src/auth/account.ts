import type { Row } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import type { Authority, Decided, JudgedRule } from '../request/explaining.ts'
import { type Operation, policyAction } from '../request/operation.ts'
import type { Ruling } from './decision.ts'
import { explainEach, judgeEach } from './judge-rules.ts'
import { policyFile, policyMethod } from './policy.ts'
import { resolveAuthorizer } from './resolve-authorizer.ts'

// Who decided, told to developers. It is found out again, once somebody wants to know: requests do not pay for it.

export interface Judged {
  readonly operation: Operation
  readonly row: Row | null
  /** The request class of this request, where it was the one that decided. */
  readonly request: object | null
  /** Null where nobody was asked. */
  readonly decision: Ruling | null
}

/** Who decides on the operation, and where that is written. */
function authorityOf(
  ctx: RequestContext,
  { operation, request, decision }: Judged,
): { readonly by: Authority; readonly place: string | null } {
  const { server } = ctx
  const { schema } = operation
  const action = policyAction(operation)
  const file = policyFile(schema.model.name)
  if (request) return { by: 'request', place: `authorize() of ${request.constructor.name || 'the request class'}` }
  if (!server.authorizable || !schema.authorizable) return { by: 'unprotected', place: null }
  if (decision?.isAuthorizers) {
    const Authorizer = resolveAuthorizer(ctx, schema)
    return { by: 'authorizer', place: `${operation.kind}() of ${Authorizer?.name || 'the authorizer'}` }
  }
  const policy = server.policies.get(schema.model.name)
  if (policy && policyMethod(policy, action)) return { by: 'method', place: `${action}() of ${file}` }
  return { by: policy && ctx.abilityOf(schema.model.name).names(action) ? 'rules' : 'nobody', place: file }
}

/** All of it; rules that only the database can judge are asked of it. */
export async function accountOf(ctx: RequestContext, judged: Judged): Promise<Decided> {
  const { operation, row, decision } = judged
  const authority = authorityOf(ctx, judged)
  const isByRules = authority.by === 'rules' || authority.by === 'authorizer'
  const ability = isByRules ? ctx.abilityOf(operation.schema.model.name) : null
  const rules = ability ? await explainEach(ability, policyAction(operation), row) : []
  return {
    ...authority,
    operation,
    allowed: decision?.allowed ?? true,
    message: decision && !decision.allowed ? decision.message : null,
    rules,
    decisive: authority.by === 'rules' ? decisiveOf(rules) : null,
  }
}

/** The strongest that holds; a `cannot` that a null leaves open does, too. */
const decisiveOf = (rules: readonly JudgedRule[]): number | null =>
  rules.find(({ effect, holds }) => holds === true || (effect === 'cannot' && holds === null))?.rule ?? null

/** Whom a denial is from that says nothing by itself, and what would be the cure. */
export function denialOf(ctx: RequestContext, judged: Judged): string {
  const { by, place } = authorityOf(ctx, judged)
  if (by !== 'rules') return `${place} denies it.`
  const { operation, row } = judged
  const action = policyAction(operation)
  const rules = judgeEach(ctx.abilityOf(operation.schema.model.name), action, row)
  const isAgainst = ({ effect, holds }: (typeof rules)[number]) => effect === 'cannot' && holds !== false
  const [strongest] = rules.filter((rule) => rule.holds !== false)
  if (strongest && isAgainst(strongest) && strongest.holds !== 'ask')
    return `Rule ${strongest.rule} of ${place}, cannot('${action}'${strongest.where ? ', …' : ''}), denies it.`
  const allowing = rules.filter(({ effect }) => effect === 'can').map(({ rule }) => rule)
  if (allowing.length === 0) return `No rule of ${place} allows ${action} to this user.`
  const named = `${allowing.length === 1 ? 'Rule' : 'Rules'} ${allowing.sort((a, b) => a - b).join(', ')}`
  return rules.some(isAgainst)
    ? `${named} of ${place} would allow ${action}, but not for this row, or a cannot forbids it.`
    : `${named} of ${place} would allow ${action}, but not for this row.`
}
