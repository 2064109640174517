import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { TestDocument } from '../document.ts'
import type { Answer } from '../send.ts'
import { assertAnswer } from './assertion.ts'
import type { ExpectedResource } from './expected.ts'
import { assertDocument, assertResource, assertResources, compare } from './resources.ts'

/**
 * 200 with one resource (JSON:API, *Fetching Resources*).
 * @returns the resource object of the answer
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * expectFetchedOne(await client.get('/posts/1'), post)
 * expectFetchedOne(await client.get('/posts/1'), { type: 'posts', id: 1, attributes: { title: 'One' } })
 */
export function expectFetchedOne(answer: Answer, expected: ExpectedResource): ResourceObject {
  return assertResource(answer, expected, { status: [200], by: expectFetchedOne })
}

/**
 * 200 with one resource, in just this document, links and all.
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * expectFetchedOneExactly(answer, {
 *   jsonapi: { version: '1.0' },
 *   links: { self },
 *   data: { type: 'tags', id: '1', attributes: { name: 'news' }, links: { self } },
 * })
 */
export function expectFetchedOneExactly(answer: Answer, expected: object): TestDocument {
  return assertDocument(answer, expected, { status: [200], primary: 'resource', by: expectFetchedOneExactly })
}

/**
 * 200 with `data: null`: an empty to-one relationship, at its own URL or at that of its resource.
 * @throws {AssertionError} where there is something
 *
 * @example
 * expectFetchedNull(await client.get('/videos/1/owner'))
 */
export function expectFetchedNull(answer: Answer): void {
  const compareNull = ({ data }: TestDocument) => compare('data', data, null)
  assertAnswer(answer, { status: [200], primary: null, by: expectFetchedNull, compare: compareNull })
}

/**
 * 200 with a collection of these resources and no others, in any order (JSON:API, *Fetching Resources*).
 * @returns the resource objects of the answer, in its order
 * @throws {AssertionError} which names each resource that is missing or was not expected, and each place that differs
 *
 * @example
 * expectFetchedMany(await client.get('/posts'), [first, second])
 */
export function expectFetchedMany(answer: Answer, expected: readonly ExpectedResource[]): readonly ResourceObject[] {
  return assertResources(answer, expected, { status: [200], order: 'any', by: expectFetchedMany })
}

/**
 * 200 with a collection of these resources and no others, in this order (JSON:API, *Sorting*).
 * @returns the resource objects of the answer
 * @throws {AssertionError} which names the order that was found
 *
 * @example
 * expectFetchedManyInOrder(await client.get('/posts').sort('-title'), [zebra, ant])
 */
export function expectFetchedManyInOrder(
  answer: Answer,
  expected: readonly ExpectedResource[],
): readonly ResourceObject[] {
  return assertResources(answer, expected, { status: [200], order: 'given', by: expectFetchedManyInOrder })
}

/**
 * 200 with a collection, in just this document: its links and `meta`, and the resources in their order.
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * expectFetchedManyExactly(answer, { jsonapi: { version: '1.0' }, links: { self }, data: [] })
 */
export function expectFetchedManyExactly(answer: Answer, expected: object): TestDocument {
  return assertDocument(answer, expected, { status: [200], primary: 'resources', by: expectFetchedManyExactly })
}
