import {
  expectAmongIncluded,
  expectIncluded,
  expectLinks,
  expectLinksExactly,
  expectMeta,
  expectMetaExactly,
  expectMetaOnly,
  expectResults,
} from '@prismapi/testing'
import { describe, expect, test } from 'vitest'
import { answerOf, dataAnswer, messageOf, withHeader } from './answers.ts'

const user = (id: string | number, attributes: object = {}) => ({ type: 'users', id, attributes })
const linkedTo = (...ids: string[]) => ({
  type: 'posts',
  id: '1',
  relationships: { readers: { data: ids.map((id) => ({ type: 'users', id })) } },
})
const compound = dataAnswer(linkedTo('3', '4'), { included: [user('3', { name: 'Ann' }), user('4', { name: 'Bob' })] })

describe('expectIncluded', () => {
  test('takes those and no others, in any order', () => {
    const found = expectIncluded(compound, [user(4, { name: 'Bob' }), { type: 'users', id: 3 }])
    expect(found.map(({ id }) => id)).toEqual(['3', '4'])
    expectIncluded(dataAnswer([]), [])
    expectIncluded(dataAnswer([], { included: [] }), [])
  })

  test('names what is missing, what was not expected, and what differs', () => {
    expect(messageOf(() => expectIncluded(compound, [user(3, { name: 'Eve' }), user(5)]))).toBe(
      'GET /posts\n' +
        '  included[0].attributes.name: found "Ann", expected "Eve"\n' +
        '  included: users 5 is missing\n' +
        '  included: users 4 was not expected',
    )
    expect(messageOf(() => expectIncluded(dataAnswer([]), [user(3)]))).toBe(
      'GET /posts\n  included: users 3 is missing',
    )
  })

  test('refuses what nothing links to', () => {
    const alone = dataAnswer(linkedTo('3'), { included: [user('3'), user('4')] })
    expect(messageOf(() => expectIncluded(alone, [user(3), user(4)]))).toBe(
      'GET /posts\n  users:4 is included, and nothing links to it',
    )
  })
})

test('expectAmongIncluded takes some of them, and names what is missing', () => {
  expectAmongIncluded(compound, [user(4)])
  expect(messageOf(() => expectAmongIncluded(compound, [user(4), user(5)]))).toBe(
    'GET /posts\n  included: users 5 is missing',
  )
})

const page = dataAnswer([], {
  meta: { page: { total: 2, size: 10 }, took: 3 },
  links: { self: '/posts', next: null },
})

test('expectMeta takes the members that are named, each whole', () => {
  expectMeta(page, { page: { total: 2, size: 10 } })
  expect(messageOf(() => expectMeta(page, { page: { total: 3 }, took: 3 }))).toBe(
    'GET /posts\n  meta.page.total: found 2, expected 3\n  meta.page.size: found 10, expected nothing',
  )
  expect(messageOf(() => expectMeta(dataAnswer([]), { took: 3 }))).toBe('GET /posts\n  meta.took: missing, expected 3')
  expect(() => expectMeta(page, { took: undefined })).toThrow(
    'meta.took: undefined is expected, with which nothing can be compared. Leave it out, or say what it is.',
  )
})

test('expectMeta shows a matcher all of it', () => {
  expectMeta(page, expect.objectContaining({ took: 3 }))
  expect(messageOf(() => expectMeta(page, expect.not.objectContaining({ page: expect.anything() })))).toBe(
    'GET /posts\n  meta: found {"page":{"total":2,"size":10},"took":3}, expected ObjectNotContaining {"page":"Anything"}',
  )
})

test('expectMetaExactly takes all members', () => {
  expectMetaExactly(page, { page: { total: 2, size: 10 }, took: 3 })
  expectMetaExactly(dataAnswer([]), {})
  expect(messageOf(() => expectMetaExactly(page, { page: { total: 2, size: 10 } }))).toBe(
    'GET /posts\n  meta.took: found 3, expected nothing',
  )
})

test('expectMetaOnly takes a document without data', () => {
  const only = answerOf(200, { jsonapi: { version: '1.0' }, meta: { imported: 3 } })
  expectMetaOnly(only, { imported: 3 })
  expect(messageOf(() => expectMetaOnly(only, { imported: 4 }))).toBe(
    'GET /posts\n  meta.imported: found 3, expected 4',
  )
  expect(messageOf(() => expectMetaOnly(page, {}))).toContain('  data: found [], expected nothing')
})

test('expectLinks takes the links that are named, null and patterns among them', () => {
  expectLinks(page, { next: null, self: /posts$/ })
  expect(messageOf(() => expectLinks(page, { next: '/posts?page=2', prev: null }))).toBe(
    'GET /posts\n  links.next: found null, expected "/posts?page=2"\n  links.prev: missing, expected null',
  )
})

test('expectLinksExactly takes all links', () => {
  expectLinksExactly(page, { self: '/posts', next: null })
  expect(messageOf(() => expectLinksExactly(page, { self: '/posts' }))).toBe(
    'GET /posts\n  links.next: found null, expected nothing',
  )
})

describe('expectResults', () => {
  const ext = 'https://jsonapi.org/ext/atomic'
  const results = withHeader(
    answerOf(200, {
      jsonapi: { version: '1.1', ext: [ext] },
      'atomic:results': [{ data: user('3', { name: 'Ann' }) }, {}],
    }),
    'Content-Type',
    `application/vnd.api+json;ext="${ext}"`,
  )

  test('takes a resource for each operation, and null for nothing', () => {
    expect(expectResults(results, [{ type: 'users', attributes: { name: 'Ann' } }, null])).toHaveLength(2)
  })

  test('wants results to be there', () => {
    expect(messageOf(() => expectResults(dataAnswer([]), []))).toBe(
      'GET /posts\n  atomic:results: missing, expected []',
    )
  })

  test('names the operation whose result differs', () => {
    expect(messageOf(() => expectResults(results, [null, user(4)]))).toBe(
      'GET /posts\n' +
        '  atomic:results[0]: found {"type":"users","id":"3","attributes":{"name":"Ann"}}, expected null\n' +
        '  atomic:results[1]: found null, expected {"type":"users","id":"4","attributes":{}}',
    )
    expect(messageOf(() => expectResults(results, [user(3)]))).toBe(
      'GET /posts\n  atomic:results[1]: found null, expected nothing',
    )
  })
})
