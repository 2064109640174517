import type { CollectionOperation, ResourceOperation } from '../request/operation.ts'
import { type CompiledRules, compileRules } from './compile-rules.ts'
import type { RequestClasses } from './request-classes.ts'
import { ResourceRequest } from './resource-request.ts'
import { rulesOf } from './rule-sources.ts'
import { guestRules, shareRules } from './shared-rules.ts'

/** What can be told of a type's rules without a request. */
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
