import { memo } from '../../model/memo.ts'
import { isModifyingRelationship, type Operation } from '../../request/operation.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { clientId } from '../rules/field-rules.ts'
import { type FieldRules, readRules } from '../rules/read-rules.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { operationOf } from './request-base.ts'
import type { AnyResourceQuery } from './resource-query.ts'
import type { AnyResourceRequest } from './resource-request.ts'

/** The rules of a write, as the instance gives them for its request. */
export function writeRules(request: AnyResourceRequest): FieldRules {
  const operation = operationOf(request)
  return readRules(concerned(request.rules(), operation), request.constructor.name, fieldsOf(operation.schema))
}

/** The rules of a deletion, as the instance gives them for its request. */
export function deleteRules(request: AnyResourceRequest): FieldRules {
  const known = new Set([...fieldsOf(operationOf(request).schema), 'meta'])
  return readRules(request.deleteRules(), request.constructor.name, known)
}

/** The rules of a query, as the instance gives them for its request. */
export const queryRules = (query: AnyResourceQuery): FieldRules =>
  readRules(query.rules(), query.constructor.name, families)

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
