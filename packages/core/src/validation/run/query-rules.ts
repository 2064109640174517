import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import { badParameter } from '@prismapi/jsonapi/document/errors'
import { say, type Text } from '@prismapi/jsonapi/document/text'
import type { QueryOptions } from '@prismapi/jsonapi/query/check-query'
import type { RawQuery } from '@prismapi/jsonapi/query/parse'
import { isModifyingRelationship, type Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type ResourceSchema,
  type SchemaRegistry,
  schemaOf,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import type { Failure } from '../failures/failure.ts'
import { detailOf, type Wording } from '../failures/messages.ts'
import { callerFrom, queryRules, type RequestSource } from '../request/make-request.ts'
import { factsOf } from '../request/request-base.ts'
import type { QueryClass } from '../request/request-classes.ts'
import { newContext } from '../rules/rule-set.ts'
import { parameterOf, readParameters, sentFamilies } from './read-parameters.ts'
import { runRulesSync } from './run-rules.ts'

/** What the rules of queries need to know of a request. */
export interface QueryRulesContext extends RequestSource {
  readonly server: RequestSource['server'] & { readonly schemas: SchemaRegistry }
}

/**
 * The rules of the application's query class for what the operation answers: of the type, or of the types that the
 * relation leads to; null where there are none. For `checkQuery`, which reports what they find beside its own.
 */
export function checkQueryRules(ctx: QueryRulesContext, op: Operation): QueryOptions['rules'] | null {
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

function queryErrors(ctx: QueryRulesContext, op: Operation, { raw, Class, schema }: Check): readonly JsonApiError[] {
  const query = new Class(
    factsOf(op, { caller: callerFrom(ctx), params: ctx.server.params, services: ctx.server.services }),
  )
  const context = { ...newContext(ctx, op, sentFamilies(raw)), schema }
  const rules = queryRules(query)
  const found = runRulesSync(rules, readParameters(rules, raw), context)
  const failures = op.kind === 'viewStats' ? found.filter(isOfGroups) : found
  if (failures.length === 0) return []
  const wording = { messages: query.messages(), attributes: query.attributes() }
  return failures.map((failure) => toParameterError(failure, raw, wording))
}

function answeredSchemas({ server }: QueryRulesContext, op: Operation): readonly ResourceSchema[] {
  if (op.kind === 'action') return [schemaOf(server.schemas, op.action.answers)]
  return 'relation' in op ? targetSchemas(server.schemas, op.relation) : [op.schema]
}

// A write through a to-many relation takes no `page`, so rules that ask for one are not about it.
function answersMany(op: Operation): boolean {
  if (!('relation' in op)) return op.kind === 'viewAny' || op.kind === 'viewStats'
  return isToMany(op.relation) && !isModifyingRelationship(op)
}

// Groups have pages and an order of their own, and show no resources: what is left of a collection are its filters.
const isOfGroups = ({ path: [family] }: Failure): boolean => !ofResources.has(String(family))
const ofResources: ReadonlySet<string> = new Set(['page', 'sort', 'include', 'fields', 'withCount'])

/** A failed rule of a query, at the parameter that it is about. */
export function toParameterError(failure: Failure, raw: RawQuery, wording: Wording): JsonApiError {
  const parameter = parameterOf(failure.path, raw)
  const message = failure.message ?? refusal(failure, parameter)
  return badParameter(parameter, detailOf({ ...failure, message }, wording))
}

function refusal({ path, rule }: Failure, parameter: string): Text | null {
  if (rule === 'page') return say`Page parameter ${path.at(-1)} is not allowed.`
  return rule === 'notSupported' ? say`Parameter ${parameter} is not allowed.` : null
}
