import type { JsonApiError } from '../document/error.ts'
import { denied, forbidden, unauthorized } from '../document/errors.ts'
import { isObject } from '../document/members.ts'
import { type Awaitable, after } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import type { Observer } from '../request/observer.ts'
import {
  decidedKind,
  isCreating,
  isModifyingRelationship,
  isUpdating,
  type Operation,
  policyAction,
} from '../request/operation.ts'
import { staged } from '../request/tracing.ts'
import { isKeptElsewhere } from '../schema/relation-kinds.ts'
import type { AuthContext } from './auth-context.ts'
import { authorizationRequest } from './authorization-request.ts'
import type { AnyAuthorizer, AuthorizerClass } from './authorizer.ts'
import { type Decision, type Denied, policyFault, toDecision, withFault } from './decision.ts'
import { denialDetail, explain, type ToExplain } from './explanation.ts'
import type { LazyRelation } from './lazy-relation.ts'
import { policyDecision } from './policy-decision.ts'
import { resolveAuthorizer } from './who-decides.ts'

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
export const authorize = staged('authorize', decide)

function decide(ctx: AuthContext, operation: Operation, subject: AuthorizationSubject): Awaitable<void> {
  const byRequest = subject.request && askRequest(operation, subject.request)
  const decided = after(byRequest, (answer) => answer ?? permission(ctx, operation, subject))
  const { observer } = ctx
  if (observer?.authorized) return observed(ctx, observer, { operation, subject, byRequest, decided })
  return after(decided, (answer) => {
    if (!answer || answer.allowed) return
    return after(byRequest, (own) => {
      throw toError(ctx, { operation, row: subject.row, request: own && subject.request, decision: answer })
    })
  })
}

/** Would the operation be let pass; nothing is thrown but what the application's own code throws. */
export const isAllowed = (
  ctx: AuthContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Awaitable<boolean> => {
  const byRequest = subject.request && askRequest(operation, subject.request)
  const decided = after(byRequest, (answer) => answer ?? permission(ctx, operation, subject))
  return after(decided, (answer) => answer?.allowed ?? true)
}

interface Deciding {
  readonly operation: Operation
  readonly subject: AuthorizationSubject
  readonly byRequest: Awaitable<Decision | null>
  readonly decided: Awaitable<Decision | null>
}

/** The same, with an observer that is told of it. */
async function observed(ctx: AuthContext, observer: Observer, deciding: Deciding): Promise<void> {
  const { operation, subject } = deciding
  const decision = await deciding.decided
  const explained = { operation, row: subject.row, request: (await deciding.byRequest) && subject.request, decision }
  await observer.authorized?.({
    allowed: decision?.allowed ?? true,
    isLast: !namesLinks(ctx, operation),
    explain: () => explain(ctx, explained),
  })
  if (decision && !decision.allowed) throw toError(ctx, { ...explained, decision })
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

const askRequest = (
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
