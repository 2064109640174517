import type { Row } from '../../model/where.ts'
import type { RequestContext } from '../../request/context.ts'
import { isModifyingRelationship, type Operation } from '../../request/operation.ts'
import { callersRules } from './known-rules.ts'

/**
 * Is this certainly refused to the caller for want of a rule, on the row or on every one: a relationship that has none is
 * changed by nobody, whatever policies allow (`validateRelationship`).
 */
export function isUnruled(ctx: RequestContext, operation: Operation, row: Row | null = null): boolean {
  if (!isModifyingRelationship(operation)) return false
  const known = callersRules(ctx, operation, row)
  return known !== null && !known.rules.fields.has(operation.relation.name)
}
