import { type JsonApiError, throwAll } from '@prismapi/jsonapi/document/error'
import { relatedNotFound } from '@prismapi/jsonapi/document/errors'
import { parseMeta } from '@prismapi/jsonapi/document/parse-document'
import { type Identifier, pointer } from '@prismapi/jsonapi/document/types'
import { asStage, type Tracing } from '@prismapi/jsonapi/request/observer'
import type { ActionOperation } from '@prismapi/jsonapi/request/operation'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type RelatedRows, relatedRows } from '../../read/find.ts'
import type { ReadContext } from '../../read/read-context.ts'
import { type Places, toErrors } from '../failures/places.ts'
import type { Values } from '../request/request-base.ts'
import { type FieldRules, newContext, type RuleContextSource, readRules, runRules } from '../rules/rule-set.ts'
import { modelOfRule } from '../rules/rules.ts'
import { notWritten, refuseUniques } from '../rules/unique-rules.ts'

/** What the rules of actions need to know of a request. */
interface ActionContext extends RuleContextSource, ReadContext {
  readonly user: unknown
  readonly server: ReadContext['server'] & RuleContextSource['server']
  readonly body: unknown
  readonly observer: Tracing | null
}

/**
 * In: a document whose `meta` an action has rules for. Out: what was sent and has a rule.
 * @throws {JsonApiError} 400 for a `meta` that is no object; 422 with an error for each failed rule.
 */
export const validateAction = asStage('validate', checkAction)

async function checkAction(ctx: ActionContext, op: ActionOperation): Promise<Values> {
  const sent = parseMeta(ctx.body)
  const rules = actionRules(op.schema, op.action)
  const context = newContext(ctx, op, new Set(Object.keys(sent)))
  const failures = await runRules(rules, sent, context)
  throwAll(toErrors(failures, metaPlaces(ctx.body), { messages: {}, attributes: {} }))
  const [clash] = context.uniques
  if (clash) throw notWritten(ownerOf(op.schema, op.action), clash.field, askYourself)
  const input = Object.fromEntries(Object.entries(sent).filter(([name]) => rules.fields.has(name)))
  return Object.freeze(await withRows(relatedRows(ctx), rules, input))
}

/**
 * The input with rows in the place of the identifiers that rules name a model for.
 * @throws {JsonApiError} 404 with an error for each that does not exist, or is hidden.
 */
async function withRows(related: RelatedRows, { fields }: FieldRules, input: Values): Promise<Values> {
  const rows: Record<string, unknown> = {}
  const missing: JsonApiError[] = []
  for (const [name, value] of Object.entries(input)) {
    const rule = fields.get(name)
    if (!rule || value === null || modelOfRule(rule) === null) continue
    const isMany = Array.isArray(value)
    const found = await related.findNamed((isMany ? value : [value]) as readonly Identifier[])
    found.forEach((row, i) => {
      if (!row) missing.push(relatedNotFound(isMany ? pointer('/meta', name, i) : pointer('/meta', name)))
    })
    rows[name] = isMany ? found : found[0]
  }
  throwAll(missing)
  return { ...input, ...rows }
}

/** The rules of an action. At boot, all that can be wrong with them is an Error. */
export function actionRules(schema: ResourceSchema, action: Action): FieldRules {
  const known = new Set(Object.keys(action.rules).map((key) => key.split('.')[0] as string))
  const owner = ownerOf(schema, action)
  const rules = readRules(action.rules, owner, known)
  refuseUniques(rules, owner, askYourself)
  return rules
}

const ownerOf = (schema: ResourceSchema, action: Action): string => `action('${action.name}') of ${schema.model.name}`

const askYourself = 'Ask the database in handle().'

const metaPlaces = (body: unknown): Places => ({
  tree: () => body,
  depth: 0,
  membersOf: ({ path }) => ['meta', ...path],
})
