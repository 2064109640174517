import { describe, expect, test } from 'vitest'
import { expectErrors, expectNotAllowed, forbidden, notFound } from '../support/answers.ts'
import { mediaType, useApi, users } from '../support/api.ts'
import { raw } from '../support/raw.ts'
import { identifier, jsonapi } from '../support/row-documents.ts'

const api = useApi()

// Each request is wrong at two stages at least: the answer is that of the earlier one.

const unacceptable = { Accept: 'text/plain' }
const text = { 'Content-Type': 'text/plain' }
const badToken = { Authorization: 'Bearer x.y.z' }
const statusOf = async (method: string, path: string, send: object = {}) =>
  (await api.guest.request(method, path, send)).status

describe('the route comes first', () => {
  test.each([
    '/nothing',
    '/posts/1/nothing',
    '/posts/1/relationships/nothing',
    '/posts/1/tags/2',
    '/Posts',
    '/posts//',
    '//posts',
    '//',
  ])('an unknown path is 404, whatever is accepted: %s', async (path) => {
    const detail = `The route /api/v1${path} could not be found.`
    expectErrors(await api.guest.get(path, { headers: { ...unacceptable, ...badToken } }), { ...notFound, detail })
  })

  test.each([
    ['PUT', '/posts', ['GET', 'HEAD', 'POST']],
    ['DELETE', '/posts', ['GET', 'HEAD', 'POST']],
    ['POST', '/posts/1', ['GET', 'HEAD', 'PATCH', 'DELETE']],
    ['POST', '/posts/1/tags', ['GET', 'HEAD']],
    ['POST', '/posts/1/relationships/author', ['GET', 'HEAD', 'PATCH']],
    ['PUT', '/posts/1/relationships/tags', ['GET', 'HEAD', 'PATCH', 'POST', 'DELETE']],
    ['POST', '/api/v1', ['GET', 'HEAD']],
  ])('a verb that a path does not have is 405, whatever is accepted: %s %s', async (method, path, allow) => {
    expectNotAllowed(await api.guest.request(method, path, { headers: { ...unacceptable, ...badToken } }), allow)
  })

  test('an unknown path is 404 for every verb', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) expect(await statusOf(method, '/nothing')).toBe(404)
  })
})

describe('then negotiation', () => {
  test('Accept before Content-Type: 406', async () => {
    expect(await statusOf('POST', '/posts', { headers: { ...unacceptable, ...text }, body: '{' })).toBe(406)
  })

  test('both before authentication: 406, 415', async () => {
    expect(await statusOf('GET', '/posts/1', { headers: { ...unacceptable, ...badToken } })).toBe(406)
    expect(await statusOf('POST', '/posts', { headers: { ...text, ...badToken }, body: '{' })).toBe(415)
  })

  test('both before the resource is looked up: 406, 415', async () => {
    expect(await statusOf('GET', '/posts/999', { headers: unacceptable })).toBe(406)
    expect(await statusOf('PATCH', '/posts/999', { headers: text, body: '{' })).toBe(415)
  })
})

describe('then authentication', () => {
  const unauthenticated = { status: '401', title: 'Unauthorized', detail: 'Unauthenticated.' }

  test.each([
    ['a body that is no JSON', 'POST', '/posts', '{'],
    ['a resource that does not exist', 'GET', '/posts/999', undefined],
    ['a wrong query', 'GET', '/posts?bogus=1', undefined],
    ['nothing else', 'GET', '/posts', undefined],
  ])('wrong credentials and %s: 401', async (_, method, path, body) => {
    const answer = await api.guest.request(method, path, { headers: badToken, ...(body && { body }) })
    expectErrors(answer, unauthenticated)
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
  })

  test('it does not wait for the body', async () => {
    const headers = { ...badToken, 'Content-Type': mediaType, 'Content-Length': '1000' }
    const { status, body } = await raw(api.url('/posts'), { method: 'POST', headers, body: '{"data":', end: false })
    expect({ status, body }).toEqual({ status: 401, body: { jsonapi, errors: [unauthenticated] } })
  })

  test('it comes before the size of the body', async () => {
    const headers = { ...badToken, 'Content-Type': mediaType, 'Content-Length': '2000000' }
    expect((await raw(api.url('/posts'), { method: 'POST', headers, end: false })).status).toBe(401)
  })
})

describe('then the syntax of the body', () => {
  const empty = { status: '400', title: 'Invalid JSON', detail: 'Expecting JSON to decode.' }

  test.each([
    ['POST', '/posts'],
    ['PATCH', '/posts/1'],
    ['PATCH', '/posts/999'],
    ['PATCH', '/posts/1/relationships/tags'],
    ['POST', '/posts/1/relationships/tags'],
    ['DELETE', '/posts/999/relationships/tags'],
  ])('a guest’s empty %s %s is 400, not 403 or 404', async (method, path) => {
    expectErrors(await api.guest.request(method, path), empty)
  })

  test('a body that is no JSON is 400 before the resource is looked up', async () => {
    expect(await statusOf('PATCH', '/posts/999', { body: '{' })).toBe(400)
    expect(await statusOf('POST', '/posts?bogus=1', { body: '[]' })).toBe(400)
  })

  test('a deletion needs no body, and ignores one', async () => {
    expectErrors(await api.guest.delete('/posts/1'), forbidden())
    expectErrors(await api.guest.delete('/posts/1', { body: '{' }), forbidden())
  })
})

describe('then the resource of the URL', () => {
  test.each([
    ['GET', '/posts/999?bogus=1', undefined],
    ['PATCH', '/posts/999', { data: null }],
    ['PATCH', '/posts/5', { data: null }],
    ['DELETE', '/posts/5', undefined],
    ['GET', '/posts/5/author?bogus=1', undefined],
    ['PATCH', '/posts/5/relationships/tags', { data: null }],
    ['POST', '/posts/999/relationships/tags', {}],
    ['GET', '/users/999', undefined],
  ])('absent or hidden, it is 404 before the guest is told that it may not: %s %s', async (method, path, body) => {
    expectErrors(await api.guest.request(method, path, { ...(body && { body }) }), notFound)
  })
})

describe('then authorization', () => {
  test.each([
    ['a wrong query', 'GET', '/users?bogus=1', undefined],
    ['a wrong query', 'GET', '/users/3?include=bogus', undefined],
    ['a document that does not comply', 'POST', '/posts', { data: null }],
    ['a document that does not comply', 'PATCH', '/posts/1', { data: { type: 'tags' } }],
    ['an identifier that does not exist', 'PATCH', '/posts/1/relationships/tags', { data: [identifier('tags', 99)] }],
    ['failed rules', 'POST', '/posts', { data: { type: 'posts' } }],
    ['a failed delete rule', 'DELETE', '/posts/2', undefined],
  ])('a denial and %s: 403 for %s %s', async (_, method, path, body) => {
    expectErrors(await api.guest.request(method, path, { ...(body && { body }) }), forbidden())
  })
})

describe('then the query, the document, its identifiers, and the rules', () => {
  const errorsOf = async (path: string, data: object) => {
    const { body } = await api.as(users.member3).post(path, { body: { data: { type: 'posts', ...data } } })
    return body.errors.map(({ status, title }: { status: string; title: string }) => `${status} ${title}`)
  }
  const absentTag = { relationships: { tags: { data: [identifier('tags', 99)] } } }

  test('a wrong query hides a document that does not comply', async () => {
    expect(await errorsOf('/posts?bogus=1', { attributes: { bogus: 1 } })).toEqual(['400 Invalid Query Parameter'])
  })

  test('a document that does not comply hides an identifier that does not exist', async () => {
    expect(await errorsOf('/posts', { attributes: { bogus: 1 }, ...absentTag })).toEqual([
      '400 Non-Compliant JSON:API Document',
    ])
  })

  test('an identifier that does not exist hides failed rules', async () => {
    expect(await errorsOf('/posts', absentTag)).toEqual(['404 Not Found'])
  })

  test('rules come last, all of them', async () => {
    expect(await errorsOf('/posts', {})).toEqual(Array(3).fill('422 Unprocessable Entity'))
  })
})
