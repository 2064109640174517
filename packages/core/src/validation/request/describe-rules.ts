import { NotKnown, type Services } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import {
  type CollectionOperation,
  isModifyingRelationship,
  type Operation,
  type ResourceOperation,
} from '@prismapi/jsonapi/request/operation'
import { type FieldRules, InvalidRules } from '../rules/rule-set.ts'
import { makeRequest, type RequestSource, type RuledServer, writeRules } from './make-request.ts'
import { type Caller, factsOf, type RequestFacts } from './request-base.ts'
import { ResourceRequest } from './resource-request.ts'

// Describes rules to OpenAPI, forms and the check at startup, without validating anything. Requests do not use it.

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
  readonly services: Services
}

/** Code that relies on a user, a row or a document fails in ways of its own without one. */
const unknown = null

const guest: Caller = Object.freeze({ user: null, rows: null })

/**
 * The rules for every caller; a guest's where the class asks who it is. Null where a guest's need more than there is.
 *
 * @throws {Error} for rules that can never be run, and what rules for every caller throw.
 */
export function describe<Instance>(
  { Class, rulesOf, services }: Describable<Instance>,
  operation: Operation,
): DescribedRules | null {
  try {
    return { rules: rulesOf(new Class(factsOf(operation, { caller: null, services }))), isPersonal: false }
  } catch (error) {
    if (!(error instanceof NotKnown)) throw error
  }
  try {
    return { rules: rulesOf(new Class(factsOf(operation, { caller: guest, services }))), isPersonal: true }
  } catch (error) {
    if (error instanceof InvalidRules) throw error
    return unknown
  }
}

/** @throws {InvalidRules} for rules of this user that can never run. Rules that need a request are no fault here. */
export function checkAs<Instance>(
  { Class, rulesOf, services }: Describable<Instance>,
  operation: Operation,
  { role, user }: { readonly role: string; readonly user: unknown },
): void {
  try {
    rulesOf(new Class(factsOf(operation, { caller: { user, rows: null }, services })))
  } catch (error) {
    if (error instanceof InvalidRules) throw new InvalidRules(`${error.message} (The rules of ${role}.)`)
  }
}

/** The rules of creating or updating; null where they cannot be told without a request. */
export const describeRules = (
  { requests, services }: RuledServer,
  operation: CollectionOperation | ResourceOperation,
): DescribedRules | null =>
  describe(
    { Class: requests.get(operation.schema.model.name)?.request ?? ResourceRequest, rulesOf: writeRules, services },
    operation,
  )

/** A request whose rules are looked at, and nothing refused for what they throw. */
export interface DescribedRequest extends RequestSource {
  readonly server: RequestSource['server'] & {
    readonly logger: { warn(fields: object, message: string): void }
  }
}

/** The rules of a write for this caller, and for the row where it is known; null where they need to know more. */
export function describeRulesFor(
  caller: DescribedRequest,
  operation: Operation,
  row: Row | null = null,
): DescribedRules | null {
  try {
    return { rules: writeRules(makeRequest(caller, operation, row)), isPersonal: false }
  } catch (err) {
    // A guest's rules may fail for want of a user, and those of an update for want of its row.
    const hasAll = caller.user != null && (row !== null || operation.kind === 'create')
    if (hasAll && !(err instanceof NotKnown)) logThrown(caller, operation, err)
    return unknown
  }
}

/** How often the rules of each write threw, on each server. */
const thrown = new WeakMap<object, Map<string, number>>()

/** Code that needs more than a user throws, as faulty code does: the log gets the first time, the 10th, the 100th … */
function logThrown({ server }: DescribedRequest, { schema: { type }, kind }: Operation, err: unknown): void {
  const counts = thrown.get(server) ?? new Map<string, number>()
  const times = (counts.get(`${type} ${kind}`) ?? 0) + 1
  thrown.set(server, counts.set(`${type} ${kind}`, times))
  if (!/^10*$/.test(String(times))) return
  server.logger.warn(
    { err, type, operation: kind, times },
    'The rules of a write threw before it, so documents and forms show none',
  )
}

/**
 * Is this certainly refused to the caller for want of a rule, on the row or on every one: a relationship that has none
 * cannot be changed, whatever policies allow (`validateRelationship`).
 */
export function isUnruled(caller: DescribedRequest, operation: Operation, row: Row | null = null): boolean {
  if (!isModifyingRelationship(operation)) return false
  const described = describeRulesFor(caller, operation, row)
  return described !== null && !described.rules.fields.has(operation.relation.name)
}
