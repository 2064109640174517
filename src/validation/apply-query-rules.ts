import type { JsonApiError } from '../document/error.ts'
import { badParameter } from '../document/errors.ts'
import type { QueryOptions } from '../query/check-query.ts'
import type { RawQuery } from '../query/parse.ts'
import type { RequestContext } from '../request/context.ts'
import { isModifyingRelationship, type Operation } from '../request/operation.ts'
import { isToMany } from '../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf, targetSchemas } from '../schema/resource-schema.ts'
import type { QueryClass } from './classes/request-classes.ts'
import { newState } from './classes/request-state.ts'
import type { AnyResourceQuery } from './classes/resource-query.ts'
import type { Failure } from './failures/failure.ts'
import { detailOf, type Wording } from './failures/messages.ts'
import { newContext } from './rules/rule-context.ts'
import { parameterOf, readParameters, sentFamilies } from './running/read-parameters.ts'
import { runRulesSync } from './running/run-rules.ts'
import { type RuleSource, withRules } from './running/shared-rules.ts'

/**
 * The rules of the application's query class for what the operation answers: of the type, or of the types that the
 * relation leads to; null where there are none. For `checkQuery`, which reports what they find beside its own.
 */
export function queryRules(ctx: RequestContext, op: Operation): QueryOptions['rules'] | null {
  const classes = answeredSchemas(ctx, op).flatMap((schema) => {
    const found = ctx.server.requests.get(schema.model.name)
    const Class = answersMany(op) ? found?.collectionQuery : found?.query
    return Class ? [{ schema, Class }] : []
  })
  if (classes.length === 0) return null
  return (raw) => classes.flatMap((each) => queryErrors(ctx, op, { raw, ...each }))
}

interface Check {
  readonly raw: RawQuery
  readonly Class: QueryClass
  readonly schema: ResourceSchema
}

function queryErrors(ctx: RequestContext, op: Operation, { raw, Class, schema }: Check): readonly JsonApiError[] {
  const query = new Class(newState(op, ctx))
  const context = { ...newContext(ctx, op, sentFamilies(raw)), schema }
  const failures = withRules(query, querySource(Class, schema), (rules) =>
    runRulesSync(rules, readParameters(rules, raw), context),
  )
  if (failures.length === 0) return []
  const wording = { messages: query.messages(), attributes: query.attributes() }
  return failures.map((failure) => toError(failure, raw, wording))
}

function answeredSchemas({ server }: RequestContext, op: Operation): readonly ResourceSchema[] {
  if (op.kind === 'action') return [schemaOf(server.schemas, op.action.answers)]
  return 'relation' in op ? targetSchemas(server.schemas, op.relation) : [op.schema]
}

// A write through a to-many relation takes no `page`, so rules that ask for one are not about it.
function answersMany(op: Operation): boolean {
  if (!('relation' in op)) return op.kind === 'viewAny'
  return isToMany(op.relation) && !isModifyingRelationship(op)
}

const families: ReadonlySet<string> = new Set([
  'page',
  'sort',
  'filter',
  'include',
  'fields',
  'withCount',
  'includePage',
  'includeSort',
  'includeFilter',
])

export const querySource = (Class: QueryClass, schema: ResourceSchema): RuleSource<AnyResourceQuery> => ({
  Class,
  schema,
  known: families,
  rulesOf: (query) => query.rules(),
})

function toError(failure: Failure, raw: RawQuery, wording: Wording): JsonApiError {
  const parameter = parameterOf(failure.path, raw)
  const message = failure.message ?? refusal(failure, parameter)
  return badParameter(parameter, detailOf({ ...failure, message }, wording))
}

function refusal({ path, rule }: Failure, parameter: string): string | null {
  if (rule === 'page') return `Page parameter ${path.at(-1)} is not allowed.`
  return rule === 'notSupported' ? `Parameter ${parameter} is not allowed.` : null
}
