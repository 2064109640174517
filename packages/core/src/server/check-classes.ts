import { isFamily } from '@prismapi/jsonapi/query/parse'
import { checkParameterNames, type QueryParameter } from '@prismapi/jsonapi/query/query-parameter'
import { statsFamily } from '@prismapi/jsonapi/query/stats'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import type { FieldOption } from '@prismapi/jsonapi/schema/field-options'
import { inFile } from '@prismapi/jsonapi/schema/registry'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { modelOfRule } from '../validation/rules/rules.ts'
import { actionParameters, actionQueryRules } from '../validation/run/query-rules.ts'
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

/** @throws {Error} for a field with an option that none of the server's features has: nothing would come of it. */
export function checkFieldOptions(
  { byModel }: SchemaRegistry,
  known: readonly FieldOption<unknown>[],
  fileOf: (model: string) => string | undefined,
): void {
  const isKnown = (option: FieldOption<unknown>) => known.some((each) => each === option)
  for (const { model, attributes, relations } of byModel.values())
    for (const { name, options = new Map() } of [...attributes.values(), ...relations.values()]) {
      const unknown = [...options.keys()].find((option) => !isKnown(option))
      if (!unknown) continue
      inFile(fileOf(model.name), () => {
        throw new Error(
          `${model.name}: the field ${name} has the option ${unknown.name}, and no feature has it. Add its feature to src/app/features.ts, or remove the option.`,
        )
      })
    }
}

/** @throws {Error} for a query parameter of a feature whose name means something else on this server. */
export function checkParameters(parameters: readonly QueryParameter[], registry: SchemaRegistry): void {
  if (parameters.length === 0) return
  const ofActions = new Set(
    [...registry.byType.values()].flatMap(({ actions }) =>
      [...actions.values()].flatMap((action) => [...actionParameters(action)]),
    ),
  )
  checkParameterNames(parameters, (name) => isFamily(name) || ofStatistics.has(name) || ofActions.has(name))
}

const ofStatistics: ReadonlySet<string> = new Set([statsFamily, 'groupBy'])
