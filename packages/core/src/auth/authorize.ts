import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import { denied, forbidden, unauthorized } from '@prismapi/jsonapi/document/errors'
import { isObject } from '@prismapi/jsonapi/document/types'
import { type Awaitable, after } from '@prismapi/jsonapi/model/awaitable'
import type { User } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import { asStage } from '@prismapi/jsonapi/request/observer'
import {
  decidedKind,
  isCreating,
  isModifyingRelationship,
  isUpdating,
  type Operation,
  policyAction,
} from '@prismapi/jsonapi/request/operation'
import { isKeptElsewhere } from '@prismapi/jsonapi/schema/relation-kinds'
import type { AuthContext } from './auth-context.ts'
import { type AnyAuthorizer, type AuthorizationRequest, type AuthorizerClass, resolveAuthorizer } from './authorizer.ts'
import { ceilingOf, isAboveCeiling } from './caller.ts'
import { type Decision, type Denied, deny, policyFault, toDecision, withFault } from './decision.ts'
import { denialDetail, explain, type ToExplain } from './explanation.ts'
import type { LazyRelation } from './lazy-relation.ts'
import { type AnyPolicy, policyFile, policyMethod } from './policy.ts'

export interface AuthorizationSubject {
  /** The request class of this request; null where there is none. */
  readonly request: { authorize(): boolean | null | Promise<boolean | null> } | null
  /** The row that the URL names; null for actions on a type. */
  readonly row: Row | null
  /** The submitted value where a relationship is written, else null. */
  readonly value: LazyRelation | null
}

/**
 * Lets the operation pass, or throws the answer: 403, a denial's own status, or 401 for a guest of a server that has a
 * `challenge`. The request class is asked first and its boolean is final; null leaves it to the authorizer, which a
 * server or a type may have turned off.
 *
 * @throws JsonApiError when it is denied.
 * @throws Error when the application's own authorization code fails.
 */
export const authorize = asStage('authorize', decide)

async function decide(ctx: AuthContext, operation: Operation, subject: AuthorizationSubject): Promise<void> {
  if (ctx.served.asksNobody) return
  refuseAboveCeiling(ctx.user, operation)
  const byRequest = subject.request && (await askRequest(operation, subject.request))
  const decision = byRequest ?? (await permission(ctx, operation, subject))
  const decided = { operation, row: subject.row, request: byRequest && subject.request, decision }
  await ctx.observer?.authorized?.({
    allowed: decision?.allowed ?? true,
    isLast: !namesLinks(ctx, operation),
    explain: async () => ({
      ...(await explain(ctx, decided)),
      // Who lets the request class pass is to know whether the policy denies, too.
      ...(byRequest && !byRequest.allowed && { next: await explainPolicy(ctx, operation, subject) }),
    }),
  })
  if (decision && !decision.allowed) throw toError(ctx, { ...decided, decision })
}

/** What the policy or its authorizer decides, whatever the request class says. */
export async function explainPolicy(ctx: AuthContext, operation: Operation, subject: AuthorizationSubject) {
  const decision = await permission(ctx, operation, subject)
  return explain(ctx, { operation, row: subject.row, request: null, decision })
}

/** Would the operation be let pass; nothing is thrown but what the application's own code throws. */
export async function isAllowed(
  ctx: AuthContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Promise<boolean> {
  if (ctx.served.asksNobody) return true
  if (isAboveCeiling(ctx.user, operation.schema, policyAction(operation))) return false
  const byRequest = subject.request && (await askRequest(operation, subject.request))
  return (byRequest ?? (await permission(ctx, operation, subject)))?.allowed ?? true
}

/** What a token is not for is refused before anybody is asked, code of the application among them. */
function refuseAboveCeiling(user: unknown, operation: Operation): void {
  const { schema } = operation
  const action = policyAction(operation)
  const ceiling = ceilingOf(user)
  if (ceiling && !ceiling.allows(schema, action)) throw ceiling.refusal(schema, action)
}

/** Does the request name links that are kept in other rows, so that these are asked about as well. */
function namesLinks({ body }: AuthContext, operation: Operation): boolean {
  if (isModifyingRelationship(operation)) return isKeptElsewhere(operation.relation)
  if (!isCreating(operation) && !isUpdating(operation)) return false
  const data = isObject(body) ? body.data : null
  const sent = isObject(data) && isObject(data.relationships) ? Object.keys(data.relationships) : []
  return sent.some((name) => {
    const relation = operation.schema.relations.get(name)
    return relation !== undefined && isKeptElsewhere(relation)
  })
}

/** Tells an observer of a decision that is one of several. */
export async function observe(ctx: AuthContext, decided: ToExplain): Promise<void> {
  await ctx.observer?.authorized?.({
    allowed: decided.decision?.allowed ?? true,
    isLast: false,
    explain: () => explain(ctx, decided),
  })
}

/** What `authorize()` of the request class says; null leaves it to others. */
export const askRequest = (
  operation: Operation,
  request: NonNullable<AuthorizationSubject['request']>,
): Awaitable<Decision | null> =>
  withFault(
    () => after(request.authorize(), (answer) => (answer === null ? null : toDecision(answer))),
    (error) => policyFault(`authorize() of ${request.constructor.name}`, policyAction(operation), error),
  )

/** The decision of the type's authorizer, or else of its policy; null where authorization is turned off. */
export function permission(
  ctx: AuthContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Awaitable<Decision | null> {
  if (isAboveCeiling(ctx.user, operation.schema, policyAction(operation))) return deny()
  if (!ctx.server.authorizable || !operation.schema.authorizable) return null
  const Authorizer = resolveAuthorizer(ctx, operation.schema)
  return Authorizer ? byAuthorizer(Authorizer, ctx, operation, subject) : policyDecision(ctx, operation, subject)
}

async function byAuthorizer(
  Authorizer: AuthorizerClass,
  ctx: AuthContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Promise<Decision> {
  const policys = new Set<unknown>()
  const request = authorizationRequest(ctx, operation, {
    value: subject.value,
    async byPolicy() {
      const decision = await policyDecision(ctx, operation, subject)
      policys.add(decision)
      return decision
    },
  })
  try {
    // An authorizer is typed by its model; which one that is follows from the type that it was found for.
    const authorizer = new Authorizer() as AnyAuthorizer
    const answer = await authorizer[decidedKind(operation.kind)](request, subject.row as Row)
    const decision = toDecision(answer)
    // A decision that the authorizer only passes on is the policy's.
    return policys.has(answer) ? decision : Object.freeze({ ...decision, by: 'authorizer' as const })
  } catch (error) {
    throw policyFault(Authorizer.name, request.action, error)
  }
}

function toError(ctx: AuthContext, denial: ToExplain & { readonly decision: Denied }): JsonApiError {
  const { user, server } = ctx
  const { message, status } = denial.decision
  const detail = message ?? undefined
  if (status !== null) return denied(status, detail)
  if (user === null && server.challenge !== null) return unauthorized(server.challenge, detail)
  return forbidden(
    detail ?? (server.production ? undefined : `This action is unauthorized. ${denialDetail(ctx, denial)}`),
  )
}

/** What an authorizer is told of an operation. */
export const authorizationRequest = (
  ctx: AuthContext,
  operation: Operation,
  { value, byPolicy }: Pick<AuthorizationRequest, 'value' | 'byPolicy'>,
): AuthorizationRequest =>
  Object.freeze({
    user: ctx.user as User | null,
    services: ctx.server.services,
    type: operation.schema.type,
    action: policyAction(operation),
    method: ctx.method,
    url: ctx.at.url,
    params: ctx.server.params,
    document: ctx.body,
    relation: 'relation' in operation ? operation.relation.name : null,
    value,
    byPolicy,
  })

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
  const cure = `No method and no rule of ${policyFile(model, policy)} names ${action} for this user.`
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
    (error) => policyFault(policyFile(model, policy), action, error),
  )
