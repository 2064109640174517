import { policyFile } from '@prismapi/core/auth/policy'
import { methodPlace, requestPlace, rulePlaces } from '@prismapi/core/auth/rule-places'
import type { Groups } from '@prismapi/core/database/reader'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type {
  Authority,
  Concealed,
  ConcealedField,
  ExplainedDecision,
  ObservedRead,
} from '@prismapi/jsonapi/request/observer'
import { type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import { type ShownCondition, showWhere } from './shown-where.ts'

// What `meta.explain` says of each thing that was noted.

/** What was read at once. */
export interface ExplainedRead {
  readonly asked: ObservedRead
  readonly plan: ShownCondition
  readonly statements: ExplainedStatement[]
  answer: unknown
  milliseconds: number | null
}

export interface ExplainedStatement {
  readonly sql: string
  readonly values: readonly unknown[] | null
  rows: number | null
  milliseconds: number | null
}

export type HiddenField = ConcealedField & Pick<Concealed, 'schema'>

export const rounded = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : Math.round(milliseconds * 100) / 100

/** Nothing of the user but who it is. */
export function userMeta(user: unknown): object | null {
  if (user === null || user === undefined) return null
  const { id } = user as { readonly id?: unknown }
  return id === undefined ? {} : { id: String(id) }
}

/** What of the server explanations name. */
export type ExplainedServer = Pick<CompiledServer, 'name' | 'schemas' | 'policies'>

/** Where the rules of a model's policy stand, in their order: `policies/post.policy.ts:13`. */
export type RulePlaces = (model: string) => readonly string[]

/** The places of the rules that the user has: a policy is asked once, however many decisions it made. */
export function placesFor({ policies }: ExplainedServer, user: unknown): RulePlaces {
  const known = new Map<string, readonly string[]>()
  return (model) => {
    const policy = policies.get(model)
    const places = known.get(model) ?? (policy ? rulePlaces(policy, model, user).map(({ at }) => at) : [])
    known.set(model, places)
    return places
  }
}

/** A field that is missing of some resources, and the rules about it, the strongest first. */
export const hiddenMeta = (
  { schema: { type, model }, name, ids, rules }: HiddenField,
  { schemas, policies }: ExplainedServer,
  placesOf: RulePlaces,
): object => ({
  type,
  field: name,
  ids,
  place: policyFile(model.name, policies.get(model.name)),
  rules: rules.map((each) => ({
    ...each,
    at: placesOf(model.name)[each.rule - 1] ?? null,
    where: each.where && showWhere(each.where, model.name, schemas).where,
  })),
})

export function decisionMeta(
  { operation, rules, next, ...decided }: ExplainedDecision,
  server: ExplainedServer,
  placesOf: RulePlaces,
): object {
  const { schemas } = server
  const { schema } = operation
  const places = rules.length > 0 ? placesOf(schema.model.name) : []
  const id = 'id' in operation ? operation.id : null
  const { by, place, allowed, message, decisive } = decided
  const at = methodAt(server, operation, by)
  return {
    action: policyAction(operation),
    type: schema.type,
    id,
    allowed,
    by,
    place,
    ...(at !== null && { at }),
    message,
    ...(next && !next.allowed && { next: decisionMeta(next, server, placesOf) }),
    ...(rules.length > 0 && {
      decisive,
      rules: rules.map((rule) => ({
        ...rule,
        at: places[rule.rule - 1] ?? null,
        where: rule.where && showWhere(rule.where, schema.model.name, schemas).where,
      })),
    }),
  }
}

/** The line of the method that decided; null where none did, or it is not found. */
function methodAt({ name, policies }: ExplainedServer, operation: Operation, by: Authority): string | null {
  const model = operation.schema.model.name
  if (by === 'request') return requestPlace(name, model, 'authorize')?.at ?? null
  if (by !== 'method') return null
  return methodPlace([policyFile(model, policies.get(model))], policyAction(operation))?.at ?? null
}

export function readMeta({ asked, plan, statements, answer, milliseconds }: ExplainedRead): object {
  const { skip, take, order, through, takePerParent } = asked
  return {
    operation: asked.operation,
    model: asked.model,
    by: statements.length > 0 ? 'sql' : 'prisma',
    where: plan.where,
    ...(order && { order: order.map(orderText) }),
    ...(skip && { skip }),
    ...(typeof take === 'number' && { take }),
    ...(through && { through }),
    ...(takePerParent !== undefined && { takePerParent }),
    ...(typeof answer === 'number' ? { count: answer } : { rows: rowsIn(answer) }),
    milliseconds: rounded(milliseconds),
    statements: statements.map((each) => ({ ...each, milliseconds: rounded(each.milliseconds) })),
  }
}

/** The number of rows that a read was answered with; null while there is no answer. */
function rowsIn(answer: unknown): number | null {
  if (answer === undefined) return null
  if (Array.isArray(answer)) return answer.length
  if (answer === null) return 0
  return (answer as Partial<Groups>).groups?.length ?? 1
}

const orderText = ({ path, direction, nulls }: OrderTerm): string =>
  `${direction === 'desc' ? '-' : ''}${path.join('.')}${nulls ? `:nulls${nulls === 'first' ? 'First' : 'Last'}` : ''}`
