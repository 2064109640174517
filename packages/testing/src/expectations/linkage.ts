import type { Identifier } from '@prismapi/jsonapi/document/types'
import { identifierOf, type Named } from '../identified.ts'
import type { Answer } from '../send.ts'
import { assertAnswer } from './assertion.ts'
import { isNamed, nameOf } from './expected.ts'
import { type Matching, matchInAnyOrder, matchInOrder } from './matched.ts'
import { partly } from './partly.ts'
import { compare } from './resources.ts'

/**
 * 200 with the linkage of a to-one relationship; null where it is empty (JSON:API, *Fetching Relationships*).
 * @throws {AssertionError} which names what differs
 *
 * @example
 * expectIdentifier(await client.get('/posts/1/relationships/author'), ann)
 */
export function expectIdentifier(answer: Answer, expected: Named | null): Identifier | null {
  const wanted = expected && identifierOf(expected)
  const document = assertAnswer(answer, {
    status: [200],
    primary: 'identifier',
    by: expectIdentifier,
    compare: ({ data }) => compare('data', partly(data, wanted), wanted),
  })
  return document.data as Identifier | null
}

/**
 * 200 with the linkage of a to-many relationship: these resources and no others, in any order.
 * @throws {AssertionError} which names each that is missing or was not expected
 *
 * @example
 * expectIdentifiers(await client.get('/posts/1/relationships/tags'), [news, sport])
 */
export function expectIdentifiers(answer: Answer, expected: readonly Named[]): readonly Identifier[] {
  return assertIdentifiers(answer, expected, { match: matchInAnyOrder, by: expectIdentifiers })
}

/**
 * 200 with the linkage of a to-many relationship: these resources and no others, in this order.
 * @throws {AssertionError} which names the order that was found
 *
 * @example
 * expectIdentifiersInOrder(await client.get('/posts/1/relationships/comments').sort('id'), [first, second])
 */
export function expectIdentifiersInOrder(answer: Answer, expected: readonly Named[]): readonly Identifier[] {
  return assertIdentifiers(answer, expected, { match: matchInOrder, by: expectIdentifiersInOrder })
}

interface Expecting {
  readonly match: typeof matchInOrder
  readonly by: (...args: never[]) => unknown
}

const identifiers: Matching = { at: 'data', part: partly, isNear: isNamed, name: nameOf, others: 'refused' }

function assertIdentifiers(answer: Answer, expected: readonly Named[], { match, by }: Expecting) {
  const wanted = expected.map(identifierOf)
  const document = assertAnswer(answer, {
    status: [200],
    primary: 'identifiers',
    by,
    compare: ({ data }) => match(data as readonly unknown[], wanted, identifiers),
  })
  return document.data as readonly Identifier[]
}
