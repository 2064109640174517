import { JsonApiError } from '../document/error.ts'
import { badParameter } from '../document/errors.ts'
import type { RequestContext } from '../request/context.ts'
import type { Operation } from '../request/operation.ts'
import { isToMany, type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import type { Failure } from './failure.ts'
import { detailOf, type Wording } from './messages.ts'
import { readParameters } from './read-parameters.ts'
import type { QueryClass } from './request-classes.ts'
import { newState } from './request-state.ts'
import type { AnyResourceQuery } from './resource-query.ts'
import { newContext } from './rule-context.ts'
import { runRules } from './run-rules.ts'
import { type RuleSource, withRules } from './shared-rules.ts'

/** The parameters as sent; absent ones are undefined. */
export interface RawParameters {
  readonly page?: unknown
  readonly sort?: unknown
  readonly filter?: unknown
  readonly include?: unknown
  readonly fields?: unknown
}

export const queryFamilies: ReadonlySet<string> = new Set(['page', 'sort', 'filter', 'include', 'fields'])

/**
 * The rules of the application's query class for what the operation answers: of the type, or of the types that the
 * relation leads to. Nothing to wait for where there is none.
 *
 * @throws {JsonApiError} 400 with an error for each parameter that fails.
 */
export function applyQueryRules(ctx: RequestContext, op: Operation, raw: RawParameters): Promise<void> | void {
  const classes = answeredSchemas(ctx, op).flatMap((schema) => {
    const classes = ctx.server.requests.get(schema.model.name)
    const Class = answersMany(op) ? classes?.collectionQuery : classes?.query
    return Class ? [{ Class, schema }] : []
  })
  if (classes.length > 0) return checkAll(ctx, op, { raw, classes })
}

interface Check {
  readonly raw: RawParameters
  readonly classes: readonly { readonly Class: QueryClass; readonly schema: ResourceSchema }[]
}

async function checkAll(ctx: RequestContext, op: Operation, { raw, classes }: Check): Promise<void> {
  const errors: JsonApiError[] = []
  for (const { Class, schema } of classes) {
    const query = new Class(newState(op, ctx))
    const context = { ...newContext(ctx, op, sentOf(raw)), schema }
    const failures = await withRules(query, querySource(Class, schema), (rules) =>
      runRules(rules, readParameters(rules, raw), context),
    )
    const wording = { messages: query.messages(), attributes: query.attributes() }
    errors.push(...failures.map((each) => toError(each, wording)))
  }
  const error = JsonApiError.all(errors)
  if (error) throw error
}

const answeredSchemas = (ctx: RequestContext, op: Operation): readonly ResourceSchema[] =>
  'relation' in op ? targetSchemas(ctx.server.schemas, op.relation) : [op.schema]

const answersMany = (op: Operation): boolean => ('relation' in op ? isToMany(op.relation) : op.kind === 'viewAny')

export const querySource = (Class: QueryClass, schema: ResourceSchema): RuleSource<AnyResourceQuery> => ({
  Class,
  schema,
  known: queryFamilies,
  rulesOf: (query) => query.rules(),
})

const sentOf = (raw: RawParameters): ReadonlySet<string> =>
  new Set(Object.entries(raw).flatMap(([family, value]) => (value === undefined ? [] : [family])))

function toError(failure: Failure, wording: Wording): JsonApiError {
  const [family = '', ...members] = failure.path
  const parameter = family + members.map((member) => `[${member}]`).join('')
  const message = failure.message ?? refusal(failure, parameter)
  return badParameter(parameter, detailOf({ ...failure, message }, wording))
}

function refusal({ path, rule }: Failure, parameter: string): string | null {
  if (rule === 'page') return `Page parameter ${path.at(-1)} is not allowed.`
  return rule === 'notSupported' ? `Parameter ${parameter} is not allowed.` : null
}
