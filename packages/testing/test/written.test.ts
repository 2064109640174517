import {
  expectCreated,
  expectCreatedExactly,
  expectNoContent,
  expectUpdated,
  expectUpdatedExactly,
} from '@prismapi/testing'
import { describe, expect, test } from 'vitest'
import { answerOf, dataAnswer, errorAnswer, messageOf, post, withHeader } from './answers.ts'

const resource = { ...post('7', { title: 'One' }), links: { self: '/posts/7' } }
const document = { jsonapi: { version: '1.0' }, data: resource }
const created = withHeader(dataAnswer(resource, {}, 201), 'Location', '/posts/7')
const updated = dataAnswer(resource)

describe('expectCreated', () => {
  test('takes a resource of any id, and gives it back', () => {
    expect(expectCreated(created, { type: 'posts', attributes: { title: 'One' } }).id).toBe('7')
  })

  test('names what differs', () => {
    expect(messageOf(() => expectCreated(created, { type: 'posts', attributes: { title: 'Two' } }))).toBe(
      'GET /posts\n  data.attributes.title: found "One", expected "Two"',
    )
  })

  test('refuses 200', () => {
    expect(messageOf(() => expectCreated(updated, { type: 'posts' }))).toBe(
      'GET /posts\n  status: found 200, expected 201',
    )
  })

  test('wants a Location, which is the link of the resource', () => {
    expect(messageOf(() => expectCreated(dataAnswer(resource, {}, 201), { type: 'posts' }))).toBe(
      'GET /posts\n  Location: found none, expected /posts/7',
    )
    expect(messageOf(() => expectCreated(withHeader(created, 'Location', '/posts/8'), { type: 'posts' }))).toBe(
      'GET /posts\n  Location: found /posts/8, expected /posts/7',
    )
  })
})

test('expectCreatedExactly takes the whole document, and wants a Location', () => {
  expectCreatedExactly(created, document)
  expect(messageOf(() => expectCreatedExactly(created, { ...document, meta: {} }))).toBe(
    'GET /posts\n  meta: missing, expected {}',
  )
  expect(messageOf(() => expectCreatedExactly(dataAnswer(resource, {}, 201), document))).toBe(
    'GET /posts\n  Location: found none, expected /posts/7',
  )
})

test('expectUpdated takes the resource as it is now, and names what differs', () => {
  expect(expectUpdated(updated, { type: 'posts', id: 7, attributes: { title: 'One' } })).toEqual(resource)
  expect(messageOf(() => expectUpdated(updated, { type: 'posts', id: 7, attributes: { title: 'Two' } }))).toBe(
    'GET /posts\n  data.attributes.title: found "One", expected "Two"',
  )
})

test('expectUpdatedExactly takes the whole document, and names what is there without being expected', () => {
  expectUpdatedExactly(updated, document)
  const { links, ...rest } = resource
  expect(messageOf(() => expectUpdatedExactly(updated, { ...document, data: rest }))).toBe(
    'GET /posts\n  data.links: found {"self":"/posts/7"}, expected nothing',
  )
})

test('expectNoContent takes a 204 without body and Content-Type', () => {
  expectNoContent(answerOf(204))
  expect(messageOf(() => expectNoContent(updated))).toBe('GET /posts\n  status: found 200, expected 204')
  expect(messageOf(() => expectNoContent(errorAnswer(404, { status: '404', title: 'Not Found' })))).toBe(
    'POST /posts\n  status: found 404, expected 204\n  errors[0]: 404 Not Found',
  )
  expect(messageOf(() => expectNoContent(withHeader(answerOf(204), 'Content-Type', 'text/plain')))).toBe(
    'GET /posts\n  204: a Content-Type',
  )
})
