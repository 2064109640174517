import type { Row } from '../../model/where.ts'
import type { CollectionOperation, Operation, ResourceOperation } from '../../request/operation.ts'
import { type FieldRules, InvalidRules } from '../rules/read-rules.ts'
import { makeRequest, type RequestSource } from './make-request.ts'
import type { RequestClasses } from './request-classes.ts'
import { type Caller, factsOf, NotKnown, type RequestFacts } from './request-facts.ts'
import { ResourceRequest } from './resource-request.ts'
import { writeRules } from './rules-of.ts'

// What documents, forms and the check at boot tell of rules where nothing is validated. Requests are not served from here.

/** What can be told of a type's rules before there is a document. */
export interface DescribedRules {
  readonly rules: FieldRules
  /** Other callers may have other rules: these are a guest's. */
  readonly isPersonal: boolean
}

/** An instance of a class, and the rules that it gives. */
export interface Describable<Instance> {
  readonly Class: new (facts: RequestFacts) => Instance
  readonly rulesOf: (instance: Instance) => FieldRules
}

/** Code that relies on a user, a row or a document fails in ways of its own without one. */
const unknown = null

const guest: Caller = Object.freeze({ user: null, reader: null })

/**
 * The rules for every caller; a guest's where the class asks who it is. Null where a guest's need more than there is.
 *
 * @throws {Error} for rules that can never be run, and what rules for every caller throw.
 */
export function describe<Instance>(
  { Class, rulesOf }: Describable<Instance>,
  operation: Operation,
): DescribedRules | null {
  try {
    return { rules: rulesOf(new Class(factsOf(operation, null))), isPersonal: false }
  } catch (error) {
    if (!(error instanceof NotKnown)) throw error
  }
  try {
    return { rules: rulesOf(new Class(factsOf(operation, guest))), isPersonal: true }
  } catch (error) {
    if (error instanceof InvalidRules) throw error
    return unknown
  }
}

/** The rules of creating or updating; null where they cannot be told without a request. */
export const describeRules = (
  classes: RequestClasses | undefined,
  operation: CollectionOperation | ResourceOperation,
): DescribedRules | null => describe({ Class: classes?.request ?? ResourceRequest, rulesOf: writeRules }, operation)

/** The rules of a write for this caller, and for the row where it is known; null where they need to know more. */
export function describeRulesFor(
  caller: RequestSource,
  operation: Operation,
  row: Row | null = null,
): DescribedRules | null {
  try {
    return { rules: writeRules(makeRequest(caller, operation, row)), isPersonal: false }
  } catch {
    return unknown
  }
}
