import { createHash } from 'node:crypto'
import type { Document } from '@prismapi/jsonapi/document/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { respond, respondInTurns } from '../../../src/http/response/respond.ts'
import { type TinyServer, tinyServer } from '../tiny-server.ts'

let server: TinyServer
const document: Document = { jsonapi: { version: '1.0' }, data: { type: 'posts', id: 'ä' } }
const text = JSON.stringify({ type: 'posts', id: 'a'.repeat(400) })
const many: Document = {
  jsonapi: { version: '1.0' },
  data: Array.from({ length: 501 }, () => ({ type: 'posts', id: 'a', json: text })),
}
beforeAll(async () => {
  server = await tinyServer(async (ctx) => {
    if (ctx.path === '/none') respond(ctx, 204, null)
    else if (ctx.path === '/created') respond(ctx, 201, document, { Location: '/posts/1' })
    else if (ctx.path === '/many') await respondInTurns(ctx, { status: 200, document: many, version: null })
    else if (ctx.path === '/vary') {
      ctx.vary('Origin')
      respond(ctx, 200, document)
    } else respond(ctx, 200, document)
  })
})
afterAll(() => server.close())

const get = async (path: string, method = 'GET') => {
  const answer = await server.raw(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  const [head = '', body] = answer.split('\r\n\r\n')
  const [status, ...headers] = head.split('\r\n').filter((line) => !line.startsWith('Date: '))
  return { status, headers: headers.sort(), body }
}
const common = [
  'Cache-Control: private, no-cache',
  'Connection: close',
  'Vary: Accept',
  'X-Content-Type-Options: nosniff',
]
const withBody = [
  ...common,
  `Content-Length: ${Buffer.byteLength(JSON.stringify(document))}`,
  'Content-Type: application/vnd.api+json',
].sort()

test('a document is sent with the bare media type', async () => {
  expect(await get('/')).toEqual({ status: 'HTTP/1.1 200 OK', headers: withBody, body: JSON.stringify(document) })
})

test('HEAD has the headers of GET and no body', async () => {
  expect(await get('/', 'HEAD')).toEqual({ status: 'HTTP/1.1 200 OK', headers: withBody, body: '' })
})

test('204 has neither body nor the headers of one', async () => {
  expect(await get('/none')).toEqual({ status: 'HTTP/1.1 204 No Content', headers: common, body: '' })
})

test('headers of the answer are added', async () => {
  const { status, headers } = await get('/created')
  expect([status, headers]).toEqual(['HTTP/1.1 201 Created', [...withBody, 'Location: /posts/1'].sort()])
})

test('what an outer middleware varies by is kept', async () => {
  expect((await get('/vary')).headers).toContain('Vary: Origin, Accept')
})

test('a long document is sent part by part, with its length', async () => {
  const whole = `{"jsonapi":{"version":"1.0"},"data":[${Array.from({ length: 501 }, () => text).join()}]}`
  const { status, headers, body } = await get('/many')
  expect(body).toBe(whole)
  expect([status, headers]).toEqual([
    'HTTP/1.1 200 OK',
    [
      ...common,
      `Content-Length: ${Buffer.byteLength(whole)}`,
      'Content-Type: application/vnd.api+json',
      `ETag: W/"${createHash('sha1').update(whole).digest('base64url').slice(0, 22)}"`,
    ].sort(),
  ])
  expect(await get('/many', 'HEAD')).toEqual({ status, headers, body: '' })
})
