import type { JsonApiError } from '../document/error.ts'
import { denied, forbidden, unauthorized } from '../document/errors.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { User } from '../model/register.ts'
import type { Row } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import { type Operation, policyAction } from '../request/operation.ts'
import type { AnyAuthorizer, AuthorizationRequest, AuthorizerClass } from './authorizer.ts'
import { type Decision, type Denied, toDecision } from './decision.ts'
import type { LazyRelation } from './lazy-relation.ts'
import { policyDecision } from './policy-decision.ts'
import { policyFault } from './policy-fault.ts'
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
export async function authorize(
  ctx: RequestContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Promise<void> {
  const asked = subject.request && (await askRequest(operation, subject.request))
  const answer = asked ?? (await askAuthorizer(ctx, operation, subject))
  if (answer && !answer.allowed) throw toError(ctx, answer)
}

async function askRequest(
  operation: Operation,
  request: NonNullable<AuthorizationSubject['request']>,
): Promise<Decision | null> {
  try {
    const answer = await request.authorize()
    return answer === null ? null : toDecision(answer)
  } catch (error) {
    throw policyFault(`authorize() of ${request.constructor.name}`, policyAction(operation), error)
  }
}

function askAuthorizer(
  ctx: RequestContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Awaitable<Decision | null> {
  if (!ctx.server.authorizable || !operation.schema.authorizable) return null
  const Authorizer = resolveAuthorizer(ctx, operation.schema)
  return Authorizer ? byAuthorizer(Authorizer, ctx, operation, subject) : policyDecision(ctx, operation, subject)
}

async function byAuthorizer(
  Authorizer: AuthorizerClass,
  ctx: RequestContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Promise<Decision> {
  const request = authorizationRequest(ctx, operation, subject)
  try {
    // An authorizer is typed by its model; which one that is follows from the type that it was found for.
    const authorizer = new Authorizer() as AnyAuthorizer
    return toDecision(await authorizer[operation.kind](request, subject.row as Row))
  } catch (error) {
    throw policyFault(Authorizer.name, request.action, error)
  }
}

const authorizationRequest = (
  ctx: RequestContext,
  operation: Operation,
  subject: AuthorizationSubject,
): AuthorizationRequest =>
  Object.freeze({
    user: ctx.user as User | null,
    type: operation.schema.type,
    action: policyAction(operation),
    method: ctx.method,
    url: ctx.url,
    document: ctx.body,
    relation: 'relation' in operation ? operation.relation.name : null,
    value: subject.value,
    byPolicy: async () => policyDecision(ctx, operation, subject),
  })

function toError({ user, server }: RequestContext, { message, status }: Denied): JsonApiError {
  const detail = message ?? undefined
  if (status !== null) return denied(status, detail)
  return user === null && server.challenge !== null ? unauthorized(server.challenge, detail) : forbidden(detail)
}
