import { everything, nothing } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { judge } from '@prismapi/jsonapi/condition/memory'
import type { FieldAccess, FieldsOf, Scopes } from '@prismapi/jsonapi/condition/scopes'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import type { Listable } from '../read/rows.ts'
import type { FieldAction } from './actions.ts'
import type { AuthContext } from './auth-context.ts'
import { isAboveCeiling } from './caller.ts'
import { policyFault, toDecision } from './decision.ts'
import { policyFile, policyMethod } from './policy.ts'

/**
 * The condition of the rows that the caller may `view`, where a server or a type lists only these; or null.
 *
 * @throws Error when `view` is decided by a method, which no query can be made of.
 */
export const listableRows =
  (ctx: Pick<AuthContext, 'server' | 'abilityOf'>): Listable =>
  (name) => {
    const { server } = ctx
    const { authorizable, viewAnyByView } = schemaOf(server.schemas, name)
    if (!(viewAnyByView ?? (server.viewAnyByView || server.viewEverywhere))) return null
    return server.authorizable && authorizable ? viewable(ctx, name) : null
  }

const noScopes: Scopes = new Map()

/**
 * Where a server asks the policies everywhere: the rows of each model that the caller may `view`, as one more scope.
 *
 * @throws Error when `view` is decided by a method, which no query can be made of.
 */
export function viewableRows(ctx: Pick<AuthContext, 'server' | 'abilityOf'>): Scopes {
  const { server } = ctx
  if (!server.viewEverywhere || !server.authorizable) return noScopes
  const asked = [...server.schemas.byModel].filter(([, schema]) => schema.authorizable)
  return new Map(asked.map(([model]) => [model, viewable(ctx, model)]))
}

/**
 * The rows that the policy's rules allow the caller an action on; all of them where the type needs no permission.
 *
 * @throws Error when a method decides on the action, which no query can be made of.
 */
export const allowedRows =
  ({ server, user, abilityOf }: Pick<AuthContext, 'server' | 'user' | 'abilityOf'>): AuthContext['allowedRows'] =>
  (model, action) => {
    if (isAboveCeiling(user, schemaOf(server.schemas, model), action)) return nothing
    if (!server.authorizable || !schemaOf(server.schemas, model).authorizable) return everything
    const policy = server.policies.get(model)
    if (policy && policyMethod(policy, action))
      throw new Error(
        `${policyFile(model, policy)}: { may: '${action}' } needs rules for ${action}, but ${action}() is a method. Declare it in abilities().`,
      )
    return abilityOf(model).conditionFor(action)
  }

/** The fields that the caller may act on. Null where the type needs no permission, and where no rule names fields. */
export function fieldsFor(
  { server, abilityOf }: Pick<AuthContext, 'server' | 'abilityOf'>,
  model: string,
  action: FieldAction,
): FieldAccess | null {
  if (!server.authorizable || !server.policies.has(model)) return null
  return server.schemas.byModel.get(model)?.authorizable ? abilityOf(model).fieldsFor(action) : null
}

/** What the caller sees of each model, looked up once for a request. */
export function seenFields(ctx: Pick<AuthContext, 'server' | 'abilityOf'>): FieldsOf {
  const known = new Map<string, FieldAccess | null>()
  return (model) => {
    const found = known.get(model)
    if (found !== undefined) return found
    const access = fieldsFor(ctx, model, 'view')
    known.set(model, access)
    return access
  }
}

function viewable({ server, abilityOf }: Pick<AuthContext, 'server' | 'abilityOf'>, model: string): Condition {
  checkRules(server, model)
  return abilityOf(model).conditionFor('view')
}

function checkRules({ policies }: Pick<AuthContext['server'], 'policies'>, model: string): void {
  const policy = policies.get(model)
  if (!policy || !policyMethod(policy, 'view')) return
  throw new Error(
    `${policyFile(model, policy)}: viewAnyByView and viewEverywhere need rules for view, but view() is a method.`,
  )
}

/** @throws Error at boot, where a server asks the policies everywhere and one of them decides `view` by a method. */
export function checkViewEverywhere({ authorizable, viewEverywhere, schemas, policies }: ViewingServer): void {
  if (!viewEverywhere || !authorizable) return
  for (const [model, schema] of schemas.byModel) if (schema.authorizable) checkRules({ policies }, model)
}

type ViewingServer = Pick<AuthContext['server'], 'authorizable' | 'viewEverywhere' | 'schemas' | 'policies'>

type TrashContext = Pick<AuthContext, 'server' | 'user' | 'abilityOf'>

/** The models whose softly deleted rows the user may see: the schema shows the mark, a policy allows `viewTrashed`. */
export const visibleTrash = (ctx: TrashContext): Awaitable<ReadonlySet<string>> =>
  ctx.server.softDeleted.some(({ deletedAtAttribute }) => deletedAtAttribute !== null) ? askPolicies(ctx) : none

const none: ReadonlySet<string> = new Set()

async function askPolicies(ctx: TrashContext): Promise<ReadonlySet<string>> {
  const visible = new Set<string>()
  for (const schema of ctx.server.softDeleted) {
    if (schema.deletedAtAttribute !== null && (await mayView(ctx, schema))) visible.add(schema.model.name)
  }
  return visible
}

async function mayView({ server, user, abilityOf }: TrashContext, schema: ResourceSchema): Promise<boolean> {
  const { authorizable, model } = schema
  if (isAboveCeiling(user, schema, 'viewTrashed')) return false
  if (!server.authorizable || !authorizable) return true
  const policy = server.policies.get(model.name)
  if (!policy) return false
  const method = policyMethod(policy, 'viewTrashed')
  if (!method) {
    const ability = abilityOf(model.name)
    return ability.names('viewTrashed') && (await ability.decide('viewTrashed', null)).allowed
  }
  try {
    return toDecision(await method.call(policy, user)).allowed
  } catch (error) {
    throw policyFault(policyFile(model.name, policy), 'viewTrashed', error)
  }
}

export interface JudgedField {
  /** Null for a new one, of which nothing is known: what a rule asks of it does not hold. */
  readonly row: Row | null
  /** Where the rules allow the field. */
  readonly condition: Condition
}

/** May the caller write the field of this row. The database is asked where the columns of the row do not tell. */
export function fieldHolds(
  { server, abilityOf }: Pick<AuthContext, 'server' | 'abilityOf'>,
  { model }: ResourceSchema,
  { row, condition }: JudgedField,
): Awaitable<boolean> {
  if (row === null || condition === nothing) return false
  const verdict = judge(condition, { row, provider: server.resources.provider })
  return verdict === 'ask' ? abilityOf(model.name).holds(row, condition) : verdict === true
}
