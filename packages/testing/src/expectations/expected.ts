import { resourceOf } from '../body.ts'
import { type Identified, identifierOf, isIdentified } from '../identified.ts'
import { isMatched, isMatcher } from '../matcher.ts'
import { shown } from './differences.ts'
import { toWanted } from './wanted.ts'

/**
 * A resource that a test expects: a row of a factory, which stands for its type and id, or as much of a resource object
 * as the test is about. Only the members, attributes, relationships and links that you name are compared, each as a
 * whole. Values may be Prisma's (`Date`, `bigint`, `Decimal`, `Uint8Array`), ids numbers, relationships
 * `{ author: user }`. A matcher of the test runner (`expect.any(String)`) may stand for any value, and a regular
 * expression for a text. A value that you name must not be undefined.
 *
 * @example
 * const expected: ExpectedResource = { type: 'posts', id: 1, attributes: { slug: /^one/ } }
 */
export type ExpectedResource = Identified | ResourceExpectation

/** A resource object as far as the test cares. */
export interface ResourceExpectation {
  /** The resource type. */
  readonly type: string
  /** Left out, any will do. */
  readonly id?: unknown
  /** Those that are named are compared, and no others. */
  readonly attributes?: object
  /** Those that are named are compared: linkage, rows, or whole relationship objects. */
  readonly relationships?: object
  /** Those that are named are compared, and no others. */
  readonly links?: object
  /** Those that are named are compared, and no others. */
  readonly meta?: object
}

/** The resource object that is expected at a place, `data[1]`. */
export function wantedResource(expected: ExpectedResource, at: string): unknown {
  if (isIdentified(expected)) return identifierOf(expected)
  return toWanted(expected === undefined || isMatcher(expected) ? expected : resourceOf(expected), at)
}

export const wantedResources = (expected: readonly ExpectedResource[], at: string): readonly unknown[] =>
  expected.map((each, i) => wantedResource(each, `${at}[${i}]`))

/** What a line calls a resource: `posts 7`. */
export function nameOf(value: unknown): string {
  if (isMatcher(value)) return shown(value)
  const { type, id } = value as { type?: unknown; id?: unknown }
  return [type, id ?? 'without an id'].map((each) => (typeof each === 'string' ? each : shown(each))).join(' ')
}

/** Whether the type and id of what was found are those of what is wanted, as far as it names them. */
export function isNamed(found: unknown, wanted: unknown): boolean {
  if (isMatcher(wanted)) return isMatched(found, wanted)
  const [one, other] = [found, wanted] as { type?: unknown; id?: unknown }[]
  return isEqual(one?.type, other?.type) && isEqual(one?.id, other?.id)
}

const isEqual = (found: unknown, wanted: unknown): boolean =>
  isMatcher(wanted) ? isMatched(found, wanted) : wanted === undefined || found === wanted
