import { type FieldAction, isFieldAction } from '@prismapi/core/auth/actions'
import { resolveAuthorizer } from '@prismapi/core/auth/authorizer'
import { isAboveCeiling } from '@prismapi/core/auth/caller'
import { possibleWithRow, possibleWithType } from '@prismapi/core/auth/possible'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { always, both, either, type Formula, negated, never } from '../formula.ts'
import { authorizerFormula, leaves, requestFormula } from './code-formula.ts'
import { codeOf } from './code-ways.ts'
import { type Persona, personaKey, type UserType } from './persona.ts'
import { type FieldFormulas, type RuleFormulas, rulesFor } from './rule-formula.ts'
import { type ServedFormulas, servedFormulas } from './scope-formula.ts'
import { type Run, runsFor } from './symbols.ts'
import { type Allowing, type Changing, changing, isChanging, kept, type Way, waysOf } from './ways.ts'

/** When one kind of caller may do something on a server. */
export interface Entry {
  readonly server: string
  readonly model: string
  readonly action: string
  /** False for an action on the type: there is no row that a condition could be about. */
  readonly onRow: boolean
  /** `personaKey` of the callers. */
  readonly persona: string
  readonly formula: Formula
  /** Of which of these rows each field may be seen, or written; left out where rules cannot tell fields apart. */
  readonly fields?: FieldFormulas
  /** How else requests do to rows what the action does; left out where there is nothing of that kind. */
  readonly ways?: readonly Way[]
}

/** When each action of each server is allowed. Plain JSON. */
export type PolicyModel = readonly Entry[]

/** All that the servers allow to the kinds of callers. */
export async function policyModel(
  servers: readonly CompiledServer[],
  personas: readonly Persona[],
  userType: UserType,
  asksMethods = false,
): Promise<PolicyModel> {
  const now = Date.now()
  const entries: Entry[] = []
  for (const server of servers) {
    for (const persona of personas) {
      const runs = runsFor(persona, userType, now)
      const rules = rulesFor(server, runs, asksMethods)
      const about: About = { server, runs, rules, served: await servedFormulas(server, runs) }
      const allowances = await allowancesOf(about)
      const ways = await waysFor(about, allowances)
      for (const schema of server.schemas.byModel.values()) {
        const { actions, fields } = allowances.get(schema.model.name) as Allowances
        const others = (action: Changing) => ways(schema, action)
        // What no request does by itself others may do.
        const more = changing
          .filter((action) => !actions.has(action) && others(action).length > 0)
          .map((action) => [action, { formula: never, onRow: action !== 'create' }] as const)
        for (const [action, { formula, onRow }] of [...actions, ...more]) {
          const also = isChanging(action) ? others(action) : []
          entries.push({
            server: server.name,
            model: schema.model.name,
            action,
            onRow,
            persona: personaKey(persona),
            formula,
            ...(isFieldAction(action) && fields && { fields: fields[action] }),
            ...(also.length > 0 && { ways: also }),
          })
        }
      }
    }
  }
  return entries
}

/** What one kind of caller may do with a type. */
interface Allowances {
  readonly actions: ReadonlyMap<string, Allowed>
  /** Null where the type needs no permission. */
  readonly fields: Readonly<Record<FieldAction, FieldFormulas>> | null
}

async function allowancesOf(about: About): Promise<ReadonlyMap<string, Allowances>> {
  const { server, rules } = about
  const found = new Map<string, Allowances>()
  for (const schema of server.schemas.byModel.values()) {
    const isRuled = server.authorizable && schema.authorizable
    const of = (action: FieldAction) => rules.fields(schema, action)
    const fields = isRuled ? { view: await of('view'), create: await of('create'), update: await of('update') } : null
    found.set(schema.model.name, { actions: await formulasOf(schema, about), fields })
  }
  return found
}

async function waysFor(about: About, allowances: ReadonlyMap<string, Allowances>) {
  const { server, rules } = about
  const named = new Map<string, Formula>()
  const byLink = new Map<string, Formula>()
  for (const schema of server.schemas.byModel.values()) {
    const { name } = schema.model
    const isViewed = server.viewEverywhere && server.authorizable && schema.authorizable
    const seen = both(about.served.scope(schema), await notDeleted(schema, about))
    named.set(name, isViewed ? both(seen, await rules.rows(schema, 'view')) : seen)
    for (const kind of changing)
      byLink.set(`${name} ${kind}`, await linkPermission({ kind, schema } as Operation, about))
  }
  const allowing: Allowing = {
    server,
    allowed: (model, action) => allowances.get(model)?.actions.get(action)?.formula ?? never,
    written(model, action, field) {
      const formula = allowances.get(model)?.fields?.[action][field] ?? always
      // Nothing is known of a row that is not there yet: a rule which asks about it allows nothing.
      return action === 'create' && formula.kind !== 'constant' && formula.kind !== 'opaque' ? never : formula
    },
    named: (model) => named.get(model) ?? never,
    byLink: (model, action) => byLink.get(`${model} ${action}`) ?? never,
  }
  const known = new Map<string, readonly Way[]>()
  const plain = (schema: ResourceSchema, action: Changing) => {
    const key = `${schema.model.name} ${action}`
    const ways = known.get(key) ?? waysOf(schema, action, allowing)
    known.set(key, ways)
    return ways
  }
  const code = codeOf({ allowing, ways: plain, hooks: about.served.served?.hooks ?? new Map() })
  return (schema: ResourceSchema, action: Changing) =>
    server.readOnly ? [] : [...plain(schema, action), ...code(schema.model.name, action)]
}

/** The rows that a request of each kind of caller finds, whatever it may do with them: scopes and soft deletion. */
export async function seenRows(
  servers: readonly CompiledServer[],
  personas: readonly Persona[],
  userType: UserType,
): Promise<(server: string, persona: Persona, schema: ResourceSchema) => Formula> {
  const now = Date.now()
  const found = new Map<string, Formula>()
  const keyOf = (server: string, persona: Persona, { type }: ResourceSchema) =>
    [server, personaKey(persona), type].join('\n')
  for (const server of servers)
    for (const persona of personas) {
      const runs = runsFor(persona, userType, now)
      const about: About = {
        server,
        runs,
        rules: rulesFor(server, runs, true),
        served: await servedFormulas(server, runs),
      }
      for (const schema of server.schemas.byModel.values())
        found.set(
          keyOf(server.name, persona, schema),
          both(about.served.scope(schema), await notDeleted(schema, about)),
        )
    }
  return (server, persona, schema) => found.get(keyOf(server, persona, schema)) ?? never
}

interface About {
  readonly server: CompiledServer
  readonly runs: readonly [Run, Run]
  readonly rules: RuleFormulas
  readonly served: ServedFormulas
}

interface Allowed {
  readonly formula: Formula
  readonly onRow: boolean
}

async function formulasOf(schema: ResourceSchema, about: About): Promise<ReadonlyMap<string, Allowed>> {
  const found = new Map<string, Allowed>()
  const { kept, trashed } = possibleWithRow(schema)
  const seen = both(about.served.scope(schema), await notDeleted(schema, about))
  for (const { operationOn } of [...kept, ...trashed]) {
    const operation = operationOn(null)
    const action = policyAction(operation)
    if (found.has(action)) continue
    const { kind } = operation
    const rows = schema.deletedAt === null ? seen : both(seen, ofKind(kind, schema.deletedAt))
    found.set(action, { formula: both(rows, await permission(operation, about)), onRow: true })
  }
  found.set('viewAny', { formula: await listed(schema, about), onRow: true })
  for (const { operationOn } of possibleWithType(schema)) {
    const operation = operationOn(null)
    found.set(policyAction(operation), { formula: await permission(operation, about), onRow: false })
  }
  if (schema.deletedAtAttribute !== null)
    found.set('viewTrashed', { formula: await trashSeen(schema, about), onRow: false })
  return found
}

/** DELETE means another action where the row was deleted softly before. */
function ofKind(kind: Operation['kind'], deletedAt: string): Formula {
  if (kind === 'delete') return kept(deletedAt)
  return kind === 'forceDelete' ? negated(kept(deletedAt)) : always
}

/** Rows that were deleted softly are there for those who may see them. */
async function notDeleted(schema: ResourceSchema, about: About): Promise<Formula> {
  if (schema.deletedAt === null) return always
  return either(kept(schema.deletedAt), await trashSeen(schema, about))
}

async function trashSeen(schema: ResourceSchema, { server, rules }: About): Promise<Formula> {
  if (schema.deletedAtAttribute === null) return never
  return server.authorizable && schema.authorizable ? rules.rows(schema, 'viewTrashed') : always
}

/** The rows of a collection. */
async function listed(schema: ResourceSchema, about: About): Promise<Formula> {
  const { server, served, rules } = about
  const isByView = schema.viewAnyByView ?? (server.viewAnyByView || server.viewEverywhere)
  return both(
    served.scope(schema),
    schema.deletedAt === null ? always : kept(schema.deletedAt),
    await served.index(schema),
    isByView && server.authorizable && schema.authorizable ? await rules.rows(schema, 'view') : always,
    await permission({ kind: 'viewAny', schema }, about),
  )
}

/** Request class, authorizer and policy, in the order in which they are asked. */
async function permission(operation: Operation, about: About): Promise<Formula> {
  if (isAbove(operation, about)) return never
  const byRequest = await requestSays(operation, about)
  return byRequest === leaves ? byPolicy(operation, about) : byRequest
}

/** The same for the row that a link changes, which a request class can deny, and not allow. */
async function linkPermission(operation: Operation, about: About): Promise<Formula> {
  if (isAbove(operation, about)) return never
  const byRequest = await requestSays(operation, about)
  return both(await byPolicy(operation, about), byRequest === leaves ? always : byRequest)
}

const requestSays = (operation: Operation, { server, runs }: About) =>
  requestFormula(server.requests.get(operation.schema.model.name)?.request, operation, runs)

const isAbove = (operation: Operation, { runs }: About): boolean =>
  isAboveCeiling(runs[0].user, operation.schema, policyAction(operation))

async function byPolicy(operation: Operation, about: About): Promise<Formula> {
  const { server, rules, served, runs } = about
  const { schema } = operation
  if (!server.authorizable || !schema.authorizable) return always
  // Code of the phase may register an authorizer for the type.
  if (!served.served) return served.unknown
  const byAuthorizer = await authorizerFormula(
    resolveAuthorizer({ server, served: served.served as never }, schema),
    operation,
    runs,
  )
  return byAuthorizer === leaves ? rules.rows(schema, policyAction(operation)) : byAuthorizer
}
