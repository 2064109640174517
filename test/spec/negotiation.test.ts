import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { type RawSend, raw } from '../support/raw.ts'
import { expectRefusal } from '../support/refusal.ts'
import { identifier, jsonapi } from '../support/row-documents.ts'
import { snapshot } from '../support/snapshot.ts'

const api = useApi()

const mediaType = 'application/vnd.api+json'
const notAcceptable = {
  status: '406',
  title: 'Not Acceptable',
  detail:
    'The requested resource is capable of generating only content not acceptable according to the Accept headers sent in the request.',
}
const unsupported = {
  status: '415',
  title: 'Unsupported Media Type',
  detail: 'The request entity has a media type which the server or resource does not support.',
}
const newTag = (name: string) => ({ data: { type: 'tags', attributes: { name } } })

describe('Accept', () => {
  test.each([
    [undefined],
    ['*/*'],
    ['application/*'],
    [mediaType],
    ['Application/VND.API+JSON'],
    [`${mediaType};q=0.9`],
    [`text/html, ${mediaType};q=0.1`],
    [`${mediaType};charset=utf-8, ${mediaType}`],
    [`${mediaType};profile="https://example.com/p", ${mediaType}`],
    ['text/plain, */*;q=0.1'],
    ['application/json, application/*;q=0.5'],
  ])('%s is fine, and answered with the media type alone', async (accept) => {
    const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept }
    const answer = await raw(api.url('/tags/1'), { headers })
    expect({ status: answer.status, type: answer.headers['content-type'], vary: answer.headers.vary }).toEqual({
      status: 200,
      type: mediaType,
      vary: 'Accept',
    })
  })

  test.each([
    ['text/plain'],
    ['image/*'],
    ['application/json'],
    ['text/*'],
    [`${mediaType};charset=utf-8`],
    [`${mediaType}; CharSet=utf-8`],
    [`${mediaType};foo=bar`],
    [`${mediaType};ext="https://jsonapi.org/ext/atomic"`],
    [`${mediaType};profile="https://example.com/p"`],
    [`${mediaType};foo="a, ${mediaType}"`],
    [`${mediaType};charset=utf-8, text/html`],
    [`${mediaType};q=0`],
    ['*/*;q=0'],
  ])('%s is not acceptable', async (accept) => {
    const answer = await raw(api.url('/tags/1'), { headers: { Accept: accept } })
    expect({ status: answer.status, type: answer.headers['content-type'], vary: answer.headers.vary }).toEqual({
      status: 406,
      type: mediaType,
      vary: 'Accept',
    })
    expect(answer.body).toEqual({ jsonapi, errors: [notAcceptable] })
  })

  test('is judged before anything is written', async () => {
    const headers = { Accept: 'text/html' }
    const admin = api.as(users.admin)
    const refusal = { status: 406, errors: [notAcceptable] }
    await expectRefusal(api.db, () => admin.post('/tags', { headers, body: newTag('refused') }), refusal)
    await expectRefusal(api.db, () => admin.delete('/comments/1', { headers }), refusal)
    const tags = { headers, body: { data: [identifier('tags', 9)] } }
    await expectRefusal(api.db, () => admin.post('/posts/1/relationships/tags', tags), refusal)
  })

  test('holds for the root of the server', async () => {
    const { status, body } = await api.guest.get('/api/v1', { headers: { Accept: 'text/plain' } })
    expect({ status, body }).toEqual({ status: 406, body: { jsonapi, errors: [notAcceptable] } })
  })
})

describe('Content-Type', () => {
  const sent = async (type: string | null): Promise<RawSend> => ({
    method: 'POST',
    headers: { Authorization: await api.authorization(users.admin), ...(type !== null && { 'Content-Type': type }) },
    body: JSON.stringify(newTag(`of type ${type}`)),
  })

  test.each([mediaType, 'application/VND.api+JSON', ` ${mediaType} `])('"%s" is read', async (type) => {
    expect((await raw(api.url('/tags'), await sent(type))).status).toBe(201)
    await api.db.tag.deleteMany({ where: { name: { startsWith: 'of type' } } })
  })

  test.each([
    [null],
    ['application/json'],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['nonsense'],
    [`${mediaType};charset=utf-8`],
    [`${mediaType}; foo=bar`],
    [`${mediaType};ext="https://jsonapi.org/ext/atomic"`],
    [`${mediaType};profile="https://example.com/p"`],
    [`${mediaType};profile="https://example.com/p";charset=utf-8`],
    [`${mediaType}, ${mediaType}`],
  ])('%s is refused', async (type) => {
    const before = await snapshot(api.db)
    const { status, headers, body } = await raw(api.url('/tags'), await sent(type))
    expect({ status, type: headers['content-type'], vary: headers.vary, body }).toEqual({
      status: 415,
      type: mediaType,
      vary: 'Accept',
      body: { jsonapi, errors: [unsupported] },
    })
    expect(await snapshot(api.db)).toEqual(before)
  })

  test.each([
    ['PATCH', '/tags/2', { data: { type: 'tags', id: '2', attributes: { name: 'x' } } }],
    ['PATCH', '/posts/1/relationships/tags', { data: [] }],
    ['POST', '/posts/1/relationships/tags', { data: [identifier('tags', 9)] }],
    ['DELETE', '/posts/1/relationships/tags', { data: [identifier('tags', 3)] }],
  ])('is asked of %s %s too', async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json' }
    const send = () => api.as(users.admin).request(method, path, { headers, body })
    await expectRefusal(api.db, send, { status: 415, errors: [unsupported] })
  })

  test('does not matter where nothing is sent', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    expect((await raw(api.url('/tags/1'), { headers })).status).toBe(200)
    const admin = { ...headers, Authorization: await api.authorization(users.admin) }
    expect((await raw(api.url('/comments/1'), { method: 'DELETE', headers: admin })).status).toBe(204)
  })

  test('an extension that the document claims negotiates nothing', async () => {
    const document = { ...newTag('claims'), jsonapi: { version: '1.1', ext: ['https://jsonapi.org/ext/atomic'] } }
    const { status, headers, body } = await api.as(users.admin).post('/tags', { body: document })
    expect({ status, type: headers.get('Content-Type'), jsonapi: body.jsonapi }).toEqual({
      status: 201,
      type: mediaType,
      jsonapi,
    })
  })
})

test.each([
  ['200', 'GET', '/tags', undefined],
  ['204', 'DELETE', '/comments/2', undefined],
  ['400', 'GET', '/tags?bogus=1', undefined],
  ['403', 'POST', '/users/3/relationships/posts', { data: [] }],
  ['404', 'GET', '/tags/99', undefined],
  ['404', 'GET', '/nothing', undefined],
  ['405', 'PUT', '/tags/1', undefined],
  ['422', 'POST', '/tags', { data: { type: 'tags' } }],
])('an answer with %s varies by Accept', async (status, method, path, body) => {
  const answer = await api.as(users.admin).request(method, path, { ...(body && { body }) })
  expect({ status: String(answer.status), vary: answer.headers.get('Vary') }).toEqual({ status, vary: 'Accept' })
})

test('HEAD is GET without the document', async () => {
  const [head, get] = [await raw(api.url('/tags/1'), { method: 'HEAD' }), await raw(api.url('/tags/1'))]
  const { date: _, ...headers } = get.headers
  expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: undefined })
  expect(head.headers).toMatchObject(headers)
  expect((await raw(api.url('/tags/99'), { method: 'HEAD' })).status).toBe(404)
})
