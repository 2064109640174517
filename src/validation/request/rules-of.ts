import { memo } from '../../model/memo.ts'
import { isModifyingRelationship, type Operation } from '../../request/operation.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { clientId } from '../rules/field-rules.ts'
import { type FieldRules, readRules } from '../rules/read-rules.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { checkUniques, refuseUniques } from '../rules/unique-rules.ts'
import { operationOf } from './request-base.ts'
import type { AnyResourceQuery } from './resource-query.ts'
import type { AnyResourceRequest } from './resource-request.ts'

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
