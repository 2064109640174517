import {
  type AnyAuthorizer,
  type AuthorizationRequest,
  type AuthorizerClass,
  decidesItself,
  leavesToPolicy,
} from '@prismapi/core/auth/authorizer'
import { deny, toDecision } from '@prismapi/core/auth/decision'
import { factsOf } from '@prismapi/core/validation/request/request-base'
import type { RequestClass } from '@prismapi/core/validation/request/resource-query'
import { unknownServices } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import { decidedKind, type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import { type Formula, opaque } from '../formula.ts'
import { constantOf, unread } from './rule-formula.ts'
import { atTime, type Run } from './symbols.ts'

/** The code leaves the decision to what comes after it. */
export const leaves = Symbol('leaves it')

type Said = Formula | typeof leaves

/** What `authorize()` of a request class says, where that follows from the caller alone. */
export function requestFormula(
  Class: RequestClass | null | undefined,
  operation: Operation,
  runs: readonly [Run, Run],
): Promise<Said> | typeof leaves {
  if (!Class || !decidesItself(Class)) return leaves
  const ask = async ({ user }: Run): Promise<Said> => {
    const answer = await new Class(
      factsOf(operation, { caller: { user, rows: null }, services: unknownServices }),
    ).authorize()
    if (answer === null) return leaves
    return constantOf(answer)
  }
  return alike(ask, runs, `authorize() of ${Class.name} is code`)
}

/** What an authorizer says, where that follows from the caller alone, or it asks the policy. */
export function authorizerFormula(
  Authorizer: AuthorizerClass | null,
  operation: Operation,
  runs: readonly [Run, Run],
): Promise<Said> | typeof leaves {
  if (!Authorizer || leavesToPolicy(Authorizer, operation.kind)) return leaves
  const ask = async ({ user }: Run): Promise<Said> => {
    const ofPolicy = { ...deny('by the policy') }
    const request = unread<AuthorizationRequest>({
      user: user as never,
      type: operation.schema.type,
      action: policyAction(operation),
      relation: 'relation' in operation ? operation.relation.name : null,
      byPolicy: async () => ofPolicy,
    })
    const authorizer = new Authorizer() as unknown as AnyAuthorizer
    const answer = await authorizer[decidedKind(operation.kind)](request, unread<Row>({}))
    if (answer === ofPolicy) return leaves
    return constantOf(toDecision(answer).allowed)
  }
  return alike(ask, runs, `${operation.kind}() of ${Authorizer.name} is code`)
}

/** What the code says in both runs, where it says the same without a look at the row or the document. */
async function alike(ask: (run: Run) => Promise<Said>, runs: readonly [Run, Run], reason: string): Promise<Said> {
  try {
    const first: Said = await atTime(runs[0].now, () => ask(runs[0]))
    const second: Said = await atTime(runs[1].now, () => ask(runs[1]))
    return first === second ? first : opaque(reason)
  } catch {
    // The code asked for more than the caller, which `unread` refuses, or fails without it.
    return opaque(reason)
  }
}
