import type { Action } from '../schema/actions.ts'
import type { ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'
import { modelOfRule } from '../validation/rules/relation-rules.ts'
import { actionQueryRules } from '../validation/run/action-query.ts'
import { actionRules } from '../validation/run/validate-action.ts'

/** @throws {Error} for rules that can never be run, and for a relationship to a model that the server lacks. */
export function checkAction(registry: SchemaRegistry, schema: ResourceSchema, action: Action): void {
  actionQueryRules(schema, action)
  for (const [name, rule] of actionRules(schema, action).fields) {
    const model = modelOfRule(rule)
    if (model === null || registry.byModel.has(model)) continue
    throw new Error(
      `action('${action.name}') of ${schema.model.name}: the rule of ${name} names ${model}, which is not served. Name a model that is.`,
    )
  }
}
