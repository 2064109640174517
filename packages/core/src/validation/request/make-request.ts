import { parseCondition } from '@prismapi/jsonapi/condition/parse'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { BasePathParams, Services } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import { isModifyingRelationship, type Operation } from '@prismapi/jsonapi/request/operation'
import type { Preparation } from '@prismapi/jsonapi/request/write-state'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type VisibleContext, visibleRows } from '../../read/find.ts'
import type { Rows } from '../../read/rows.ts'
import { clientId } from '../rules/field-rules.ts'
import { type FieldRules, type RuleSet, readRules } from '../rules/rule-set.ts'
import { checkUniques, refuseUniques } from '../rules/unique-rules.ts'
import { type Caller, factsOf, operationOf, type RequestRows } from './request-base.ts'
import type { AnyResourceQuery, RequestClass, RequestClasses } from './resource-query.ts'
import { type AnyResourceRequest, ResourceRequest } from './resource-request.ts'

/** The request classes of a server, and what they get of the application. */
export interface RuledServer {
  readonly requests: ReadonlyMap<string, RequestClasses>
  readonly services: Services
}

/** What instances of request classes are made from. */
export interface RequestSource extends VisibleContext {
  readonly server: VisibleContext['server'] & RuledServer & { readonly params: BasePathParams }
  /** Null for a guest. */
  readonly user: unknown
  readonly rows: Rows
  /** What is known of this request's write before it begins. */
  readonly preparation: Preparation
}

/** An instance of the request class for this request; with the row that the URL names, where it is known. */
export function makeRequest(source: RequestSource, operation: Operation, row: Row | null = null): AnyResourceRequest {
  const Class: RequestClass = source.server.requests.get(operation.schema.model.name)?.request ?? ResourceRequest
  const { services, params } = source.server
  return new Class(factsOf(operation, { caller: callerFrom(source), row, params, services }))
}

/** Who asks, with the rows that they may see. */
export const callerFrom = (source: RequestSource): Caller => ({ user: source.user, rows: rowsFor(source) })

/** Whatever rules have read is judged again inside of the write's transaction. */
function rowsFor(source: RequestSource): RequestRows {
  const rows = () => {
    source.preparation.hasReadOthers = true
    return source.rows
  }
  return {
    async countAll(model, where) {
      const { models } = source.server.resources
      return rows().unscoped.read({
        kind: 'count',
        model,
        where: parseCondition(where, models[model] as ModelMeta, models),
      })
    },
    ...visibleRows(source, rows),
  }
}

/** The same where a request class may have its say on a read; null where there is none. */
export const makeReadRequest = (source: RequestSource, operation: Operation, row: Row | null = null) =>
  source.server.requests.get(operation.schema.model.name)?.request ? makeRequest(source, operation, row) : null

/** The rules of a write, as the instance gives them for its request. */
export function writeRules(request: AnyResourceRequest): FieldRules {
  const operation = operationOf(request)
  const owner = request.constructor.name
  const rules = readRules(concerned(request.rules(), operation), owner, fieldsOf(operation.schema))
  checkUniques(rules, { owner, operation })
  return rules
}

/** The rules of a deletion, as the instance gives them for its request. */
export function deleteRules(request: AnyResourceRequest): FieldRules {
  const known = new Set([...fieldsOf(operationOf(request).schema), 'meta'])
  const rules = readRules(request.deleteRules(), request.constructor.name, known)
  refuseUniques(rules, `${request.constructor.name}: deleteRules()`)
  return rules
}

/** The rules of a query, as the instance gives them for its request. */
export function queryRules(query: AnyResourceQuery): FieldRules {
  const rules = readRules(query.rules(), query.constructor.name, families)
  refuseUniques(rules, query.constructor.name)
  return rules
}

const anyClientId = clientId()

function concerned(rules: RuleSet, operation: Operation): RuleSet {
  // `tags` and what lies below it, not every name that begins so.
  if (isModifyingRelationship(operation)) {
    return Object.fromEntries(Object.entries(rules).filter(([key]) => key.split('.')[0] === operation.relation.name))
  }
  // A client-generated id that the type accepts is kept, rule or no rule: to drop it silently would break JSON:API.
  const acceptsId = operation.kind === 'create' && operation.schema.id.clientGenerated
  return acceptsId && !rules.id ? { ...rules, id: anyClientId } : rules
}

const fieldsOf = memo(
  ({ attributes, relations }: ResourceSchema): ReadonlySet<string> =>
    new Set(['id', ...attributes.keys(), ...relations.keys()]),
)

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
