import type { Row } from '../../model/where.ts'
import type { RequestContext } from '../../request/context.ts'
import type { CollectionOperation, Operation, ResourceOperation } from '../../request/operation.ts'
import { makeRequest } from '../classes/make-request.ts'
import type { RequestClasses } from '../classes/request-classes.ts'
import { ResourceRequest } from '../classes/resource-request.ts'
import { type CompiledRules, compileRules } from './compile-rules.ts'
import { requestSource, rulesOf } from './rule-sources.ts'
import { guestRules, shareRules, withRules } from './shared-rules.ts'

/** What can be told of a type's rules before there is a document. */
export interface KnownRules {
  readonly rules: CompiledRules
  /** They depend on the request, and these are a guest's. */
  readonly isPersonal: boolean
}

/** The rules of creating or updating; null where they cannot be told without a request. */
export function knownRules(
  classes: RequestClasses | undefined,
  operation: CollectionOperation | ResourceOperation,
): KnownRules | null {
  const source = rulesOf(classes?.request ?? ResourceRequest, operation.schema)
  const shared = shareRules(source, operation)
  if (shared) return { rules: shared, isPersonal: false }
  const rules = guestRules(source, operation)
  return rules && { rules: compileRules(rules, source), isPersonal: true }
}

/** The rules of a write for this caller, and for the row where it is known; null where they need to know more. */
export function callersRules(ctx: RequestContext, operation: Operation, row: Row | null = null): KnownRules | null {
  try {
    const request = makeRequest(ctx, operation, row)
    return { rules: withRules(request, requestSource(request), (rules) => rules), isPersonal: false }
  } catch {
    // Nothing is wrong with rules that rely on there being a document, or a row.
    return null
  }
}
