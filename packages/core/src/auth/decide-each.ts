import { inTurns } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { inParts } from '../read/find.ts'
import type { AuthContext } from './auth-context.ts'
import { observe, permission } from './authorize.ts'
import { leavesToPolicy, resolveAuthorizer } from './authorizer.ts'
import { isAboveCeiling } from './caller.ts'
import { allow, type Decision, deny } from './decision.ts'
import { policyMethod } from './policy.ts'

interface Asked {
  readonly action: 'update' | 'delete'
  readonly rows: readonly Row[]
}

/**
 * The decision of the type's authorizer, or else of its policy, about each row. One query decides for all rows that
 * rules cannot judge in memory; an authorizer and a policy's method are called for one row after the other.
 */
export async function decideEach(
  ctx: AuthContext,
  schema: ResourceSchema,
  { action, rows }: Asked,
): Promise<readonly Decision[]> {
  const operationOn = (row: Row): Operation => ({ kind: action, schema, id: schema.id.format(row) })
  const decisions = isByRules(ctx, schema, action)
    ? await byRules(ctx, schema, { action, rows })
    : await oneByOne(rows, (row) => decideOne(ctx, operationOn(row), row))
  if (ctx.observer?.authorized)
    for (const [i, row] of rows.entries())
      await observe(ctx, { operation: operationOn(row), row, request: null, decision: decisions[i] ?? null })
  return decisions
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
  await observe(ctx, { operation, row: null, request: null, decision })
  return decision
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

async function oneByOne<T, U>(values: readonly T[], work: (value: T) => Promise<U>): Promise<readonly U[]> {
  const done: U[] = []
  for (const value of values) done.push(await work(value))
  return done
}
