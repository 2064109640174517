import type { TestDocument } from '../document.ts'
import type { Answer } from '../send.ts'
import { type Assertion, assertAnswer } from './assertion.ts'
import { partly } from './partly.ts'
import { compare } from './resources.ts'
import { toWanted } from './wanted.ts'

/**
 * The top-level `meta` has these members, maybe among others (JSON:API, *Meta Information*).
 *
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * const page = { currentPage: 1, perPage: 5, from: 1, to: 5, lastPage: 3, total: 12 }
 * expectMeta(await client.get('/posts').page({ size: 5 }), { page })
 */
export function expectMeta(answer: Answer, expected: object): void {
  assertMember(answer, 'meta', { expected, how: 'partly', by: expectMeta })
}

/**
 * The top-level `meta` has these members and no others; `{}` says that there is none.
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * expectMetaExactly(await client.get('/posts/1'), {})
 */
export function expectMetaExactly(answer: Answer, expected: object): void {
  assertMember(answer, 'meta', { expected, how: 'exactly', by: expectMetaExactly })
}

/**
 * 200 with a document of nothing but `meta`, which has these members and no others.
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * expectMetaOnly(await client.post('/tags/-actions/import', { meta: {} }), { imported: 3 })
 */
export function expectMetaOnly(answer: Answer, expected: object): void {
  const wanted = { meta: toWanted(expected, 'meta') }
  assertAnswer(answer, {
    status: [200],
    primary: null,
    by: expectMetaOnly,
    compare: ({ jsonapi, links, ...rest }) => compare('', rest, wanted),
  })
}

/**
 * The top-level links have these members, maybe among others; null for a link that does not exist now (JSON:API,
 * *Document Links*).
 *
 * @throws {AssertionError} which names each link that differs
 *
 * @example
 * expectLinks(await client.get('/posts').page({ size: 5 }), { next: /page%5Bnumber%5D=2/ })
 */
export function expectLinks(answer: Answer, expected: object): void {
  assertMember(answer, 'links', { expected, how: 'partly', by: expectLinks })
}

/**
 * The top-level links have these members and no others; `{}` says that there are none.
 * @throws {AssertionError} which names each link that differs
 *
 * @example
 * expectLinksExactly(await client.get('/posts/1'), { self: 'https://api.example.org/api/v1/posts/1' })
 */
export function expectLinksExactly(answer: Answer, expected: object): void {
  assertMember(answer, 'links', { expected, how: 'exactly', by: expectLinksExactly })
}

interface Expecting {
  readonly expected: object
  readonly how: 'partly' | 'exactly'
  readonly by: Assertion['by']
}

function assertMember(answer: Answer, name: 'meta' | 'links', { expected, how, by }: Expecting): void {
  const wanted = toWanted(expected, name)
  const found = (document: TestDocument) => document[name] ?? {}
  assertAnswer(answer, {
    status: [200, 201],
    primary: null,
    by,
    compare: (document) => compare(name, how === 'partly' ? partly(found(document), wanted) : found(document), wanted),
  })
}
