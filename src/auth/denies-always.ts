import type { Row } from '../model/where.ts'
import { decidedKind, type Operation } from '../request/operation.ts'
import type { AuthContext } from './auth-context.ts'
import { authorizationRequest } from './authorization-request.ts'
import type { AnyAuthorizer, AuthorizerClass } from './authorizer.ts'
import { deny, toDecision } from './decision.ts'

interface LeftOperation {
  readonly operation: Operation
  /** Does the policy leave the operation to be decided by a row or a method. */
  readonly isLeft: () => boolean
}

/**
 * Does the authorizer deny the operation to the caller, whatever the row and the document are: it is asked with neither, and where
 * it looks at one of them, nothing is certain.
 */
export async function deniesAlways(
  Authorizer: AuthorizerClass,
  ctx: AuthContext,
  { operation, isLeft }: LeftOperation,
): Promise<boolean> {
  const known = authorizationRequest(ctx, operation, {
    value: null,
    byPolicy: async () => (isLeft() ? unknown() : deny()),
  })
  const request = new Proxy(known, {
    get: (target, name) => (ofTheRequest.has(name) ? unknown() : Reflect.get(target, name)),
  })
  try {
    const authorizer = new Authorizer() as AnyAuthorizer
    return !toDecision(await authorizer[decidedKind(operation.kind)](request, unknownRow)).allowed
  } catch {
    return false
  }
}

/** What only the request that is not there could tell. */
const ofTheRequest: ReadonlySet<PropertyKey> = new Set(['document', 'method', 'url', 'value'])

const unknown = (): never => {
  throw new Error('Nothing is known of it: no request was sent.')
}

const unknownRow: Row = new Proxy({}, { get: unknown, has: unknown, ownKeys: unknown })
