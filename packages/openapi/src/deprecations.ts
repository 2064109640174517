import { type Deprecation, endingOf } from '@prismapi/jsonapi/schema/deprecation'
import type { Part } from './described.ts'

/** What is said of an operation, a parameter or a schema that will be gone. */
export const deprecatedPart = (...deprecations: readonly (Deprecation | null)[]): Part => {
  return deprecations.some((each) => each !== null) ? { deprecated: true, ...deprecationDates(...deprecations) } : {}
}

/** The dates of a deprecation in a document. OpenAPI has no member for dates; tools look for `x-sunset`. */
export function deprecationDates(...deprecations: readonly (Deprecation | null)[]): Part {
  const ending = endingOf(deprecations.flatMap((each) => each ?? []))
  if (!ending) return {}
  const { since, sunset } = ending
  return { 'x-deprecated-since': since, ...(sunset !== null && { 'x-sunset': sunset }) }
}
