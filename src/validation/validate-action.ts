import { JsonApiError } from '../document/error.ts'
import { parseMeta } from '../document/parse-meta.ts'
import type { RequestContext } from '../request/context.ts'
import type { ActionOperation } from '../request/operation.ts'
import { staged } from '../request/tracing.ts'
import type { Action } from '../schema/actions.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Values } from './classes/request-state.ts'
import { type Places, toErrors } from './failures/places.ts'
import { newContext } from './rules/rule-context.ts'
import { type CompiledRules, compileRules } from './running/compile-rules.ts'
import { runRules } from './running/run-rules.ts'

/**
 * In: a document whose `meta` an action has rules for. Out: what was sent and has a rule.
 * @throws {JsonApiError} 400 for a `meta` that is no object; 422 with an error for each failed rule.
 */
export const validateAction = staged('validate', checkAction)

async function checkAction(ctx: RequestContext, op: ActionOperation): Promise<Values> {
  const sent = parseMeta(ctx.body)
  const rules = actionRules(op.schema, op.action)
  const context = newContext(ctx, op, new Set(Object.keys(sent)))
  const failures = await runRules(rules, sent, context)
  const error = JsonApiError.all(toErrors(failures, metaPlaces(ctx.body), { messages: {}, attributes: {} }))
  if (error) throw error
  const [clash] = context.uniques
  // Silently it would hold for everything.
  if (clash)
    throw new Error(
      `${nameOf(op.schema, op.action)}: unique() asks about a field of the type, and ${clash.field} is none. Ask the database in handle().`,
    )
  return Object.freeze(Object.fromEntries(Object.entries(sent).filter(([name]) => rules.fields.has(name))))
}

// Keyed by what never changes while it lives: the frozen action.
const compiled = new WeakMap<Action, CompiledRules>()

/** The rules of an action, compiled once: at boot, where all that can be wrong with them is an Error. */
export function actionRules(schema: ResourceSchema, action: Action): CompiledRules {
  const rules =
    compiled.get(action) ??
    compileRules(action.rules, {
      Class: { name: nameOf(schema, action) },
      known: new Set(Object.keys(action.rules).map((key) => key.split('.')[0] as string)),
    })
  compiled.set(action, rules)
  return rules
}

const nameOf = (schema: ResourceSchema, action: Action): string => `action('${action.name}') of ${schema.model.name}`

const metaPlaces = (body: unknown): Places => ({
  tree: () => body,
  depth: 0,
  membersOf: ({ path }) => ['meta', ...path],
})
