import type { Row } from '../../model/where.ts'
import { isModifyingRelationship, type Operation } from '../../request/operation.ts'
import { type DescribedRequest, describeRulesFor } from './describe-rules.ts'

/**
 * Is this certainly refused to the caller for want of a rule, on the row or on every one: a relationship that has none
 * cannot be changed, whatever policies allow (`validateRelationship`).
 */
export function isUnruled(caller: DescribedRequest, operation: Operation, row: Row | null = null): boolean {
  if (!isModifyingRelationship(operation)) return false
  const described = describeRulesFor(caller, operation, row)
  return described !== null && !described.rules.fields.has(operation.relation.name)
}
