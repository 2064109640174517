import { isModifyingRelationship, type Operation } from '../../request/operation.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { RequestClass } from '../classes/request-classes.ts'
import { stateKey } from '../classes/request-state.ts'
import type { AnyResourceRequest } from '../classes/resource-request.ts'
import { clientId } from '../rules/field-rules.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import type { RuleSource } from './shared-rules.ts'

/** Where the rules of writes come from: `rules()` of the request's class. */
export const requestSource = (request: AnyResourceRequest): RuleSource<AnyResourceRequest> =>
  rulesOf(request.constructor as RequestClass, request[stateKey].operation.schema)

/** Where the rules of deletions come from: `deleteRules()`. */
export const deleteSource = (request: AnyResourceRequest): RuleSource<AnyResourceRequest> =>
  deleteRulesOf(request.constructor as RequestClass, request[stateKey].operation.schema)

export const rulesOf = (Class: RequestClass, schema: ResourceSchema): RuleSource<AnyResourceRequest> => ({
  Class,
  schema,
  known: fieldsOf(schema),
  rulesOf: (request) => concerned(request.rules(), request[stateKey].operation),
})

export const deleteRulesOf = (Class: RequestClass, schema: ResourceSchema): RuleSource<AnyResourceRequest> => ({
  Class,
  schema,
  known: new Set([...fieldsOf(schema), 'meta']),
  rulesOf: (request) => request.deleteRules(),
})

const anyClientId = clientId()

function concerned(rules: RuleSet, operation: Operation): RuleSet {
  // *Validation data*, rule 4: `tags` and what lies below it, not every name that begins so.
  if (isModifyingRelationship(operation)) {
    return Object.fromEntries(Object.entries(rules).filter(([key]) => key.split('.')[0] === operation.relation.name))
  }
  // A client-generated id that the type accepts is kept, rule or no rule: to drop it silently would break JSON:API.
  const acceptsId = operation.kind === 'create' && operation.schema.id.clientGenerated
  return acceptsId && !rules.id ? { ...rules, id: anyClientId } : rules
}

const known = new WeakMap<ResourceSchema, ReadonlySet<string>>()

function fieldsOf(schema: ResourceSchema): ReadonlySet<string> {
  let fields = known.get(schema)
  if (!fields) {
    fields = new Set(['id', ...schema.attributes.keys(), ...schema.relations.keys()])
    known.set(schema, fields)
  }
  return fields
}
