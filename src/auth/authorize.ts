import type { JsonApiError } from '../document/error.ts'
import { denied, forbidden, unauthorized } from '../document/errors.ts'
import { type Awaitable, after } from '../model/awaitable.ts'
import type { User } from '../model/register.ts'
import type { Row } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import { AuthorizedOnly, type Explaining } from '../request/explaining.ts'
import { type Operation, policyAction } from '../request/operation.ts'
import { staged } from '../request/tracing.ts'
import { accountOf, denialOf, type Judged } from './account.ts'
import type { AnyAuthorizer, AuthorizationRequest, AuthorizerClass } from './authorizer.ts'
import { type Decision, type Denied, type Ruling, toDecision } from './decision.ts'
import type { LazyRelation } from './lazy-relation.ts'
import { policyDecision } from './policy-decision.ts'
import { asked, policyFault } from './policy-fault.ts'
import { resolveAuthorizer } from './resolve-authorizer.ts'

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

function decide(ctx: RequestContext, operation: Operation, subject: AuthorizationSubject): Awaitable<void> {
  const byRequest = subject.request && askRequest(operation, subject.request)
  const decided = after(byRequest, (answer) => answer ?? permission(ctx, operation, subject))
  const explaining = ctx.tracing?.explaining
  if (explaining) return told(ctx, explaining, { operation, subject, byRequest, decided })
  return after(decided, (answer) => {
    if (!answer || answer.allowed) return
    return after(byRequest, (own) => {
      throw toError(ctx, { operation, row: subject.row, request: own && subject.request, decision: answer })
    })
  })
}

interface Deciding {
  readonly operation: Operation
  readonly subject: AuthorizationSubject
  readonly byRequest: Awaitable<Decision | null>
  readonly decided: Awaitable<Ruling | null>
}

/** The same, for who wants to know why. */
async function told(ctx: RequestContext, explaining: Explaining, deciding: Deciding): Promise<void> {
  const { operation, subject } = deciding
  const decision = await deciding.decided
  const judged = { operation, row: subject.row, request: (await deciding.byRequest) && subject.request, decision }
  explaining.decided(await explaining.aside(() => accountOf(ctx, judged)))
  if (decision && !decision.allowed) throw toError(ctx, { ...judged, decision })
  if (explaining.endsAtAuthorization) throw new AuthorizedOnly()
}

const askRequest = (
  operation: Operation,
  request: NonNullable<AuthorizationSubject['request']>,
): Awaitable<Decision | null> =>
  asked(
    () => after(request.authorize(), (answer) => (answer === null ? null : toDecision(answer))),
    (error) => policyFault(`authorize() of ${request.constructor.name}`, policyAction(operation), error),
  )

/** What the authorizer of the type, or its policy, says; null where nobody is asked. */
export function permission(
  ctx: RequestContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Awaitable<Ruling | null> {
  if (!ctx.server.authorizable || !operation.schema.authorizable) return null
  const Authorizer = resolveAuthorizer(ctx, operation.schema)
  return Authorizer ? byAuthorizer(Authorizer, ctx, operation, subject) : policyDecision(ctx, operation, subject)
}

async function byAuthorizer(
  Authorizer: AuthorizerClass,
  ctx: RequestContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Promise<Ruling> {
  const heard = new Set<unknown>()
  const request = authorizationRequest(ctx, operation, {
    subject,
    async byPolicy() {
      const decision = await policyDecision(ctx, operation, subject)
      heard.add(decision)
      return decision
    },
  })
  try {
    // An authorizer is typed by its model; which one that is follows from the type that it was found for.
    const authorizer = new Authorizer() as AnyAuthorizer
    const answer = await authorizer[operation.kind](request, subject.row as Row)
    const decision = toDecision(answer)
    return heard.has(answer) ? decision : Object.freeze({ ...decision, isAuthorizers: true as const })
  } catch (error) {
    throw policyFault(Authorizer.name, request.action, error)
  }
}

const authorizationRequest = (
  ctx: RequestContext,
  operation: Operation,
  { subject, byPolicy }: { readonly subject: AuthorizationSubject; readonly byPolicy: () => Promise<Decision> },
): AuthorizationRequest =>
  Object.freeze({
    user: ctx.user as User | null,
    type: operation.schema.type,
    action: policyAction(operation),
    method: ctx.method,
    url: ctx.at.url,
    document: ctx.body,
    relation: 'relation' in operation ? operation.relation.name : null,
    value: subject.value,
    byPolicy,
  })

function toError(ctx: RequestContext, judged: Judged & { readonly decision: Denied }): JsonApiError {
  const { user, server } = ctx
  const { message, status } = judged.decision
  const detail = message ?? undefined
  if (status !== null) return denied(status, detail)
  if (user === null && server.challenge !== null) return unauthorized(server.challenge, detail)
  return forbidden(detail ?? (server.production ? undefined : `This action is unauthorized. ${denialOf(ctx, judged)}`))
}
