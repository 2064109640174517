import type { ErrorObject } from '@prismapi/jsonapi/document/types'
import type { Answer } from '../send.ts'
import { type Assertion, assertAnswer } from './assertion.ts'
import { shown } from './differences.ts'
import { type Matching, matchInAnyOrder } from './matched.ts'
import { partly } from './partly.ts'
import { toWanted } from './wanted.ts'

/**
 * An error as far as the test cares; where a text stands, a regular expression or a matcher may stand.
 *
 * @example
 * const expected: ExpectedError = { status: 422, detail: /required/, source: { pointer: '/data/attributes/title' } }
 */
export interface ExpectedError {
  /** The HTTP status. */
  readonly status: string | number
  /** The name of the rule that failed, as a rule. */
  readonly code?: unknown
  /** The kind of failure. */
  readonly title?: unknown
  /** What is wrong, for people. */
  readonly detail?: unknown
  /** Whole: `{ pointer: '/data/attributes/title' }`. */
  readonly source?: object
  /** Whole. */
  readonly links?: object
  /** Whole. */
  readonly meta?: object
}

/**
 * An error document of these errors and no others, in any order; of each, the members that are named are compared. The
 * answer has their status, or 400 or 500 where they differ (JSON:API, *Error Objects*).
 * @returns the error objects of the answer
 * @throws {AssertionError} which names each error that is missing or was not expected, and each place that differs
 *
 * @example
 * expectErrors(answer, [{ status: 422, source: { pointer: '/data/attributes/slug' } }])
 */
export function expectErrors(answer: Answer, expected: readonly ExpectedError[]): readonly ErrorObject[] {
  return assertErrors(answer, expected, { part: partly, others: 'refused', by: expectErrors })
}

/**
 * An error document of just these errors, in any order: every member of each is compared.
 * @throws {AssertionError} which names each error that is missing or was not expected, and each place that differs
 *
 * @example
 * expectErrorsExactly(answer, [{ status: 404, title: 'Not Found' }])
 */
export function expectErrorsExactly(answer: Answer, expected: readonly ExpectedError[]): readonly ErrorObject[] {
  return assertErrors(answer, expected, { part: (found) => found, others: 'refused', by: expectErrorsExactly })
}

/**
 * An error document that has these errors, maybe among others.
 * @throws {AssertionError} which names each error that is missing, and each place that differs
 *
 * @example
 * expectAmongErrors(answer, [{ status: 422, detail: /required/ }])
 */
export function expectAmongErrors(answer: Answer, expected: readonly ExpectedError[]): readonly ErrorObject[] {
  return assertErrors(answer, expected, { part: partly, others: 'allowed', by: expectAmongErrors })
}

interface Expecting extends Pick<Matching, 'part' | 'others'> {
  readonly by: Assertion['by']
}

function assertErrors(answer: Answer, expected: readonly ExpectedError[], { by, ...how }: Expecting) {
  if (expected.length === 0) throw new Error(`${by.name}: the list of errors is empty. Name at least one.`)
  const wanted = expected.map((each, i) => wantedError(each, `errors[${i}]`))
  const { errors = [] } = assertAnswer(answer, {
    ...{
      status: how.others === 'allowed' ? [...statusesOf(expected), 400, 500] : statusesOf(expected),
      primary: null,
      by,
    },
    compare: ({ errors = [] }) =>
      matchInAnyOrder(errors, wanted, {
        ...how,
        at: 'errors',
        isNear: (one, other) => (one as ErrorObject).status === (other as ErrorObject).status,
        name: shown,
      }),
  })
  return errors
}

function wantedError(expected: ExpectedError, at: string): unknown {
  const { status, ...rest } = expected
  if (Number.isInteger(Number(status ?? Number.NaN))) return toWanted({ status: String(status), ...rest }, at)
  throw new Error(`${at}.status: ${shown(status)} is no HTTP status. Name the one that the error has.`)
}

// What errors of several statuses have in common is that they are the client's, or that one of them is not.
function statusesOf(expected: readonly ExpectedError[]): readonly number[] {
  const statuses = [...new Set(expected.map(({ status }) => Number(status)))]
  if (statuses.length === 1) return statuses
  return [statuses.some((status) => status >= 500) ? 500 : 400]
}
