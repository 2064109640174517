import { inTurns } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { inParts } from '../read/find.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import type { AuthContext } from './auth-context.ts'
import { askRequest, observe, permission } from './authorize.ts'
import { isDecidedByRequest, leavesToPolicy, resolveAuthorizer } from './authorizer.ts'
import { isAboveCeiling } from './caller.ts'
import { allow, type Decision, deny } from './decision.ts'
import { policyMethod } from './policy.ts'

interface Asked {
  readonly action: 'update' | 'delete'
  readonly rows: readonly Row[]
}

/**
 * Whether a link may change each row. Its type's authorizer, or else its policy, has to allow it, and its request class
 * must not deny it: where that allows something, it does not open the row for links. One query decides for all rows
 * that rules cannot judge in memory; code of the application is called for one row after the other.
 */
export async function decideEach(
  ctx: AuthContext,
  schema: ResourceSchema,
  { action, rows }: Asked,
): Promise<readonly Decision[]> {
  const operationOn = (row: Row): Operation => ({ kind: action, schema, id: schema.id.format(row) })
  const byPolicy = isByRules(ctx, schema, action)
    ? await byRules(ctx, schema, { action, rows })
    : await oneByOne(rows, (row) => decideOne(ctx, operationOn(row), row))
  if (!ctx.observer?.authorized && !asksRequest(ctx, schema)) return byPolicy
  return oneByOne(rows.entries(), ([i, row]) =>
    withRequest(ctx, { operation: operationOn(row), row, decision: byPolicy[i] as Decision }),
  )
}

/** To judge so many takes a few milliseconds. */
const judgedAtOnce = 5000

/** Of many rows others have their turn meanwhile. */
async function byRules(
  ctx: AuthContext,
  schema: ResourceSchema,
  { action, rows }: Asked,
): Promise<readonly Decision[]> {
  const ability = ctx.abilityOf(schema.model.name)
  if (rows.length <= judgedAtOnce) return ability.decideEach(action, rows)
  const decisions: Decision[] = []
  for await (const some of inTurns(inParts(rows, judgedAtOnce)))
    for (const decision of await ability.decideEach(action, some)) decisions.push(decision)
  return decisions
}

/** May the caller create resources of the type, which no document of theirs is sent for. */
export async function decideCreation(ctx: AuthContext, schema: ResourceSchema): Promise<Decision> {
  const operation: Operation = { kind: 'create', schema }
  const decision = await decideOne(ctx, operation, null)
  return withRequest(ctx, { operation, row: null, decision })
}

const asksRequest = ({ server, served }: AuthContext, { model }: ResourceSchema): boolean =>
  !served.asksNobody && isDecidedByRequest(server, model.name)

interface Decided {
  readonly operation: Operation
  readonly row: Row | null
  readonly decision: Decision
}

/** The row's own request class is asked as for a request about this row alone. */
async function withRequest(ctx: AuthContext, { operation, row, decision }: Decided): Promise<Decision> {
  const request = decision.allowed && asksRequest(ctx, operation.schema) ? makeRequest(ctx, operation, row) : null
  const denial = request && (await askRequest(operation, request))
  const decided = denial?.allowed === false ? { decision: denial, request } : { decision, request: null }
  await observe(ctx, { operation, row, ...decided })
  return decided.decision
}

function isByRules(ctx: AuthContext, schema: ResourceSchema, action: Asked['action']): boolean {
  if (!ctx.server.authorizable || !schema.authorizable) return false
  const Authorizer = resolveAuthorizer(ctx, schema)
  if (Authorizer && !leavesToPolicy(Authorizer, action)) return false
  const policy = ctx.server.policies.get(schema.model.name)
  return policy !== undefined && policyMethod(policy, action) === null
}

/** A type without a policy is denied; its cure is told where an operation of its own is. */
async function decideOne(ctx: AuthContext, operation: Operation, row: Row | null): Promise<Decision> {
  const { server } = ctx
  const { schema } = operation
  if (isAboveCeiling(ctx.user, schema, policyAction(operation))) return deny()
  if (!server.authorizable || !schema.authorizable) return allow()
  if (!resolveAuthorizer(ctx, schema) && !server.policies.has(schema.model.name)) return deny()
  return (await permission(ctx, operation, { request: null, row, value: null })) ?? allow()
}

async function oneByOne<T, U>(values: Iterable<T>, work: (value: T) => Promise<U>): Promise<readonly U[]> {
  const done: U[] = []
  for (const value of values) done.push(await work(value))
  return done
}
