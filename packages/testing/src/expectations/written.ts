import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { TestDocument } from '../document.ts'
import type { Answer } from '../send.ts'
import { type Assertion, assertAnswer, failure, faultsOf } from './assertion.ts'
import type { ExpectedResource } from './expected.ts'
import { assertDocument, assertResource } from './resources.ts'

/**
 * 201 with the resource that was created, and a `Location` that is its `self` link (JSON:API, *Creating Resources*).
 * Without an `id`, any will do; the resource is returned, so that a test can look for it.
 * @returns the resource object of the answer
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * const { id } = expectCreated(await client.as(ann).post('/posts', post), post)
 */
export function expectCreated(answer: Answer, expected: ExpectedResource): ResourceObject {
  const resource = assertResource(answer, expected, { status: [201], by: expectCreated })
  checkLocation(answer, resource, expectCreated)
  return resource
}

/**
 * 201 with just this document, and a `Location` that is the resource's `self` link.
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * expectCreatedExactly(answer, {
 *   jsonapi: { version: '1.0' },
 *   links: { self },
 *   data: { type: 'tags', id: /^\d+$/, attributes: { name: 'news' }, links: { self } },
 * })
 */
export function expectCreatedExactly(answer: Answer, expected: object): TestDocument {
  const document = assertDocument(answer, expected, { status: [201], primary: 'resource', by: expectCreatedExactly })
  checkLocation(answer, document.data as ResourceObject, expectCreatedExactly)
  return document
}

/**
 * 200 with the resource as it is now (JSON:API, *Updating Resources*).
 * @returns the resource object of the answer
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * expectUpdated(await client.as(ann).patch('/posts/1', change), change)
 */
export function expectUpdated(answer: Answer, expected: ExpectedResource): ResourceObject {
  return assertResource(answer, expected, { status: [200], by: expectUpdated })
}

/**
 * 200 with just this document.
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * expectUpdatedExactly(answer, {
 *   jsonapi: { version: '1.0' },
 *   links: { self },
 *   data: { type: 'tags', id: '1', attributes: { name: 'news' }, links: { self } },
 * })
 */
export function expectUpdatedExactly(answer: Answer, expected: object): TestDocument {
  return assertDocument(answer, expected, { status: [200], primary: 'resource', by: expectUpdatedExactly })
}

/**
 * 204 without a body: what was deleted, and every change that needs no answer.
 * @throws {AssertionError} where there is another status, a body or a `Content-Type`
 *
 * @example
 * expectNoContent(await client.as(ann).delete('/posts/1'))
 */
export function expectNoContent(answer: Answer): void {
  // A body cannot come with a 204, so that there is none to compare.
  if (answer.status !== 204) assertAnswer(answer, { ...nothing, by: expectNoContent })
  const lines = faultsOf(answer, null)
  if (lines.length > 0) throw failure(answer, { found: lines, expected: [], lines }, expectNoContent)
}

const nothing = { status: [204], primary: null, compare: () => ({ found: null, expected: null, lines: [] }) } as const

function checkLocation(answer: Answer, { links }: ResourceObject, by: Assertion['by']): void {
  const location = answer.headers.get('Location')
  const self = links?.self
  if (location !== null && (self === undefined || location === self)) return
  const line = `Location: found ${location ?? 'none'}, expected ${self ?? 'the URL of the resource'}`
  throw failure(answer, { found: location, expected: self, lines: [line] }, by)
}
