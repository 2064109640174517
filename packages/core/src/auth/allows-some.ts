import { nothing } from '@prismapi/jsonapi/condition/build'
import { type Awaitable, after } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import { decidedKind, isModifyingRelationship, type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import { isKeptElsewhere, keeperOf, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { isUnruled } from '../validation/request/describe-rules.ts'
import type { AuthContext } from './auth-context.ts'
import { authorizationRequest } from './authorize.ts'
import {
  type AnyAuthorizer,
  type AuthorizerClass,
  isDecidedByRequest,
  leavesToPolicy,
  resolveAuthorizer,
} from './authorizer.ts'
import { isAboveCeiling } from './caller.ts'
import { deny, toDecision } from './decision.ts'
import { policyMethod } from './policy.ts'
import { fieldsFor } from './viewable.ts'

/**
 * Whether the caller could be allowed the operation on some row. False is certain: no rule for this caller allows it,
 * an authorizer denies it for every row, no rule writes the relationship, or no row that keeps its links may be
 * changed. True may still be refused, by the row or by code that needs a request: a policy's method, an authorizer,
 * `authorize()` of a request class. Runs no query.
 */
export const allowsSome = (ctx: AuthContext, operation: Operation): Awaitable<boolean> =>
  after(
    isPermittedSome(ctx, operation),
    (isPermitted) => isPermitted && !isUnruled(ctx, operation) && mayWriteLinks(ctx, operation),
  )

const mayWriteLinks = (ctx: AuthContext, operation: Operation): boolean =>
  !isModifyingRelationship(operation) || mayLinkSome(ctx, operation.relation, operation.kind)

function isPermittedSome(ctx: AuthContext, operation: Operation): Awaitable<boolean> {
  const { server } = ctx
  const { schema } = operation
  const model = schema.model.name
  if (isAboveCeiling(ctx.user, schema, policyAction(operation))) return false
  if (isDecidedByRequest(server, model)) return true
  if (!server.authorizable || !schema.authorizable) return true
  const Authorizer = resolveAuthorizer(ctx, schema)
  if (Authorizer && !leavesToPolicy(Authorizer, operation.kind)) {
    const isLeft = () => isLeftByPolicy(ctx, operation)
    return deniesAlways(Authorizer, ctx, { operation, isLeft }).then((denies) => !denies)
  }
  return isLeftByPolicy(ctx, operation)
}

function isLeftByPolicy({ server, abilityOf }: AuthContext, operation: Operation): boolean {
  const model = operation.schema.model.name
  const policy = server.policies.get(model)
  if (!policy) return false
  const action = policyAction(operation)
  return policyMethod(policy, action) !== null || abilityOf(model).allowsSome(action)
}

interface LeftOperation {
  readonly operation: Operation
  /** Does the policy leave the operation to be decided by a row or a method. */
  readonly isLeft: () => boolean
}

/**
 * Whether the authorizer denies the operation for every row and document. It is asked without them; if it looks at one,
 * the result is not certain.
 */
async function deniesAlways(
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

type LinkContext = Pick<AuthContext, 'server' | 'served' | 'abilityOf'>
type LinkAction = 'create' | 'update' | 'delete'

/**
 * Whether the caller could make or end some link of the relation, judging by the rows that keep the links. False is
 * certain: no rule for this caller allows changing them. True may still be refused, by the row or by code. No query.
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

/** Does code decide which links the caller may make or end: `authorize()` of the request class of their rows. */
export const isLinkedByRequest = ({ server }: Pick<AuthContext, 'server'>, relation: Relation): boolean =>
  isKeptElsewhere(relation) && relation.asksUpdate && isDecidedByRequest(server, keeperOf(relation))

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
