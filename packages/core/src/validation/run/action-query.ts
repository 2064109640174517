import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import { isFamily, type RawQuery } from '@prismapi/jsonapi/query/parse'
import type { ActionOperation } from '@prismapi/jsonapi/request/operation'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Values } from '../request/request-base.ts'
import { type FieldRules, newContext, type RuleContextSource, readRules } from '../rules/rule-set.ts'
import { refuseUniques } from '../rules/unique-rules.ts'
import { toParameterError } from './query-rules.ts'
import { readParameters, sentFamilies } from './read-parameters.ts'
import { runRulesSync } from './run-rules.ts'

/** The names of the parameters that an action by GET takes beside those of JSON:API. */
export const actionParameters = ({ query }: Action): ReadonlySet<string> =>
  new Set(Object.keys(query).map((key) => key.split('.')[0] as string))

/** The rules of these parameters. At boot, all that can be wrong with them is an Error. */
export function actionQueryRules({ model }: ResourceSchema, action: Action): FieldRules {
  const owner = `action('${action.name}') of ${model.name}`
  const known = actionParameters(action)
  for (const name of known) {
    if (isFamily(name))
      throw new Error(
        `${owner}: the parameter ${name} of its query means something else already. Give it another name.`,
      )
    if (!/^[a-z][A-Za-z0-9]*$/.test(name))
      throw new Error(
        `${owner}: the parameter ${name} of its query needs letters and digits, beginning with a small letter.`,
      )
  }
  const rules = readRules(action.query, `${owner}: query`, known)
  refuseUniques(rules, `${owner}: query`, 'Ask the database in handle().')
  return rules
}

/** What is wrong with the parameters of the action, in the eyes of its rules. */
export function actionQueryErrors(ctx: RuleContextSource, op: ActionOperation, raw: RawQuery): readonly JsonApiError[] {
  const rules = actionQueryRules(op.schema, op.action)
  const context = newContext(ctx, op, sentFamilies(raw))
  return runRulesSync(rules, readParameters(rules, raw), context).map((failed) =>
    toParameterError(failed, raw, { messages: {}, attributes: {} }),
  )
}

/** The parameters that were sent and have a rule, as the rules see them. */
export function actionQueryValues({ schema, action }: ActionOperation, raw: RawQuery): Values {
  const sent = readParameters(actionQueryRules(schema, action), raw)
  const names = [...actionParameters(action)].filter((name) => sent[name] !== undefined)
  return Object.freeze(Object.fromEntries(names.map((name) => [name, sent[name]])))
}
