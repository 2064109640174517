import { expect, test } from 'vitest'
import { documentParts, documentText } from '../../src/document/rendered.ts'

const rendered = (id: string) => ({ type: 'posts', id, json: `{"type":"posts","id":"${id}"}` })
const jsonapi = { version: '1.1' } as const

test('a document has its resources as they were written, behind its other members', () => {
  const document = {
    jsonapi,
    links: { self: '/posts' },
    data: [rendered('1'), rendered('2')],
    included: [rendered('3')],
  }
  expect(documentText(document)).toBe(
    '{"jsonapi":{"version":"1.1"},"links":{"self":"/posts"},"data":[{"type":"posts","id":"1"},{"type":"posts","id":"2"}],"included":[{"type":"posts","id":"3"}]}',
  )
})

test.each([
  [null, 'null'],
  [[], '[]'],
  [rendered('1'), '{"type":"posts","id":"1"}'],
  [{ type: 'posts', id: '1' }, '{"type":"posts","id":"1"}'],
  [[{ type: 'posts', id: '1' }], '[{"type":"posts","id":"1"}]'],
])('primary data of every kind: %j', (data, text) => {
  expect(documentText({ jsonapi, data })).toBe(`{"jsonapi":{"version":"1.1"},"data":${text}}`)
})

test('an empty list of included resources is there', () => {
  expect(documentText({ jsonapi, data: null, included: [] })).toBe(
    '{"jsonapi":{"version":"1.1"},"data":null,"included":[]}',
  )
})

test('the results of operations keep their places', () => {
  expect(documentText({ jsonapi, 'atomic:results': [{ data: rendered('1') }, {}] })).toBe(
    '{"jsonapi":{"version":"1.1"},"atomic:results":[{"data":{"type":"posts","id":"1"}},{}]}',
  )
})

test('a document without resources is written as it is', () => {
  const errors = [{ status: '404', title: 'Not Found' }]
  expect(documentText({ jsonapi, errors })).toBe(JSON.stringify({ jsonapi, errors }))
  expect(documentText({ jsonapi, meta: { a: 1 } })).toBe(JSON.stringify({ jsonapi, meta: { a: 1 } }))
})

test('a document with many resources comes in parts, which are its text', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => rendered(`${i}${'x'.repeat(500)}`))
  const long = { jsonapi, links: { self: '/posts' }, data: many(600), included: many(30) }
  const parts = [...(documentParts(long) ?? [])]
  expect(parts.length).toBeGreaterThan(4)
  expect(parts.join('')).toBe(documentText(long))
  const alone = { jsonapi, data: many(501) }
  expect([...(documentParts(alone) ?? [])].join('')).toBe(documentText(alone))
  expect(documentParts({ jsonapi, data: many(500) })).toBeNull()
})

test.each([
  ['a list', [rendered('x'.repeat(600_000)), rendered('y'.repeat(600_000))], undefined],
  ['one resource', rendered('x'.repeat(1_100_000)), []],
  ['linkage', { type: 'posts', id: '1' }, [rendered('x'.repeat(1_100_000))]],
])('so does a long one of %s', (_, data, included) => {
  const long = { jsonapi, data, ...(included && { included }) }
  expect([...(documentParts(long) ?? [])].join('')).toBe(documentText(long))
  expect(documentParts({ jsonapi, data: rendered('1'), included: [] })).toBeNull()
})
