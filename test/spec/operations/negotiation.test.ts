import { Schema, Server } from 'prismapi'
import { expect, test } from 'vitest'
import { allowOf, expectErrors, expectErrorsOf11 } from '../../support/answers.ts'
import { mediaType, useApi, users } from '../../support/api.ts'
import { atomic, jsonapi, newPost, operate, path, sendAtomic } from '../../support/operations.ts'
import { plain, startServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()
const member = api.as(users.member4)
const body = () => ({ 'atomic:operations': [{ op: 'add', data: { type: 'posts', attributes: newPost() } }] })

test.each([
  mediaType,
  `${mediaType};profile="https://example.com/p"`,
  `${mediaType};ext="https://example.com/ext"`,
  `${mediaType};ext="https://jsonapi.org/ext/atomic https://example.com/ext"`,
  `${atomic};charset=utf-8`,
  'application/json',
])('operations that are sent as %s are not read, and nothing is done', async (type) => {
  const before = await snapshot(api.db)
  const answer = await member.post(path, { headers: { 'Content-Type': type }, body: body() })
  expectErrorsOf11(answer, {
    status: '415',
    title: 'Unsupported Media Type',
    detail: 'The request entity has a media type which the server or resource does not support.',
  })
  expect(await snapshot(api.db)).toEqual(before)
})

test('to ask for the extension in Accept alone does not make a document of it', async () => {
  const headers = { 'Content-Type': mediaType, Accept: atomic }
  expect((await member.post(path, { headers, body: body() })).status).toBe(415)
})

test.each([atomic, mediaType, '*/*', `${mediaType};profile="https://example.com/p"`, `text/html, ${mediaType};q=0.5`])(
  'Accept: %s takes the answer in the extension',
  async (accept) => {
    const answer = await member.post(path, { headers: { 'Content-Type': atomic, Accept: accept }, body: body() })
    expect({
      status: answer.status,
      type: answer.headers.get('Content-Type'),
      vary: answer.headers.get('Vary'),
    }).toEqual({ status: 200, type: atomic, vary: 'Accept' })
  },
)

test('Accept of something else is refused before anything is done', async () => {
  const before = await snapshot(api.db)
  const headers = { 'Content-Type': atomic, Accept: 'text/html' }
  expect((await member.post(path, { headers, body: body() })).status).toBe(406)
  expect(await snapshot(api.db)).toEqual(before)
})

test('errors are written in the extension, too', async () => {
  const { status, headers, body } = await operate(api.guest, { op: 'remove', ref: { type: 'tags', id: '1' } })
  expect({ status, type: headers.get('Content-Type'), body }).toEqual({
    status: 403,
    type: atomic,
    body: {
      jsonapi,
      errors: [
        {
          status: '403',
          title: 'Forbidden',
          detail: 'Sign in first.',
          source: { pointer: '/atomic:operations/0' },
        },
      ],
    },
  })
})

test.each(['GET', 'PATCH', 'PUT', 'DELETE'])('%s is not for operations', async (method) => {
  const answer = await member.request(method, path)
  expect({ status: answer.status, allow: allowOf(answer), errors: answer.body.errors }).toEqual({
    status: 405,
    allow: ['POST'],
    errors: [
      {
        status: '405',
        title: 'Method Not Allowed',
        detail: `The ${method} method is not supported for route ${path}. Supported methods: POST.`,
      },
    ],
  })
})

test('OPTIONS tells the method', async () => {
  const answer = await member.request('OPTIONS', path)
  expect({ status: answer.status, allow: allowOf(answer), body: answer.body }).toEqual({
    status: 204,
    allow: ['POST'],
    body: undefined,
  })
})

test('a server that declares 1.0 has no operations', async () => {
  const answer = await member.post('/api/v1/operations', { headers: { 'Content-Type': mediaType }, body: body() })
  const detail = 'The route /api/v1/operations could not be found.'
  expectErrors(answer, { status: '404', title: 'Not Found', detail })
})

test('credentials that are wrong are refused before the operations are looked at', async () => {
  const answer = await sendAtomic(api.withHeader('Bearer nonsense'), { 'atomic:operations': 'nonsense' })
  expect({ status: answer.status, challenge: answer.headers.get('WWW-Authenticate') }).toEqual({
    status: 401,
    challenge: 'Bearer',
  })
})

class Operations extends Schema<'Tag'> {
  override type = 'operations'
}

test('a type cannot be called operations where that is the URL of operations', async () => {
  const start = (version: '1.0' | '1.1') => {
    class Clashing extends Server {
      override readonly name = 'clashing'
      override readonly version = version
      override readonly models = ['Tag'] as const
    }
    const parts = plain(Clashing, {
      schemas: new Map([['Tag', Operations]]),
      files: new Map([[Operations, 'src/app/clashing/tag.schema.ts']]),
    })
    return startServers({ reader: api.db, writer: api.db }, { servers: [parts], policies: new Map() })
  }
  await expect(start('1.1')).rejects.toThrow(
    "src/app/clashing/tag.schema.ts: Tag: no type can be called operations, which is a URL of the server's own. Give its schema another type.",
  )
  await (await start('1.0')).close()
})
