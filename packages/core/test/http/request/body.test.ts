import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { defaultLimits } from '@prismapi/jsonapi/request/limits'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { receive } from '../../../src/http/call.ts'
import { readBody } from '../../../src/http/request/body.ts'
import { respond } from '../../../src/http/response/respond.ts'
import { errorDocument, type TinyServer, tinyServer } from '../tiny-server.ts'

const limits = { ...defaultLimits, bodyBytes: 100_000, bodyDepth: 8 }
let server: TinyServer
const outcomes: string[] = []
beforeAll(async () => {
  server = await tinyServer(async (ctx) => {
    if (ctx.path === '/unread') ctx.throw(403)
    try {
      const body = await readBody({ koa: ctx, received: receive(ctx.req, ctx.res), formBody: null }, limits)
      outcomes.push('read')
      respond(ctx, 200, { jsonapi: { version: '1.0' }, meta: { body } })
    } catch (error) {
      outcomes.push(String(error))
      throw error
    }
  })
})
beforeEach(() => void outcomes.splice(0))
afterAll(() => server.close())

const echo = (body: unknown) => ({ jsonapi: { version: '1.0' }, meta: { body } })
const echoed = async (message: Parameters<TinyServer['send']>[0]) => {
  const { status, text } = await server.send(message)
  return { status, document: JSON.parse(text) }
}
const sizedDocument = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
const refused = (status: number, title: string, detail: string) => ({
  status,
  document: errorDocument({ status: String(status), title, detail }),
})
const invalidJson = (detail: string) => refused(400, 'Invalid JSON', detail)
const tooLarge = refused(413, 'Payload Too Large', 'The request body must not be larger than 100000 bytes.')

test.each(['POST', 'PATCH', 'DELETE'])('%s: an object is read', async (method) => {
  expect(await echoed({ method, body: '{"data":{"ä":[1,null]}}' })).toEqual({
    status: 200,
    document: echo({ data: { ä: [1, null] } }),
  })
})

test('a body in chunks, cut inside a character', async () => {
  const bytes = Buffer.from('{"a":"€"}')
  const head =
    'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/vnd.api+json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const chunk = (from: number, to: number) =>
    Buffer.concat([Buffer.from(`${to - from}\r\n`), bytes.subarray(from, to), Buffer.from('\r\n')])
  const answer = await server.raw(head, chunk(0, 7), chunk(7, bytes.length), '0\r\n\r\n')
  expect(answer).toContain('"meta":{"body":{"a":"€"}}')
})

test.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a %s body is decoded', async (encoding, compress) => {
  const message = { headers: { 'Content-Encoding': encoding }, body: compress('{"a":1}') }
  expect(await echoed(message)).toEqual({ status: 200, document: echo({ a: 1 }) })
})

test('a byte order mark is ignored, as RFC 8259 allows', async () => {
  expect(await echoed({ body: '\ufeff{"a":1}' })).toEqual({ status: 200, document: echo({ a: 1 }) })
})

test('of duplicate names the last one wins', async () => {
  expect(await echoed({ body: '{"a":1,"a":2}' })).toEqual({ status: 200, document: echo({ a: 2 }) })
})

test('the limits themselves pass', async () => {
  const deep = `{"a":${'['.repeat(7)}${']'.repeat(7)}}`
  expect((await echoed({ body: sizedDocument(100_000) })).status).toBe(200)
  expect((await echoed({ body: sizedDocument(100_000), chunked: true })).status).toBe(200)
  expect((await echoed({ body: deep })).status).toBe(200)
})

const nothing = invalidJson('Expecting JSON to decode.')
const noObject = invalidJson('Expecting JSON to decode to an object.')
const noJson = invalidJson('The request body is not valid JSON.')
const noUtf8 = invalidJson('The request body is not UTF-8.')
const tooDeep = invalidJson('Arrays and objects must not nest deeper than 8 levels.')
const noProto = invalidJson('The name __proto__ is not allowed.')

test.each([
  ['no body', {}, nothing],
  ['an empty body', { body: '' }, nothing],
  ['an empty chunked body', { body: '', chunked: true, headers: { 'Transfer-Encoding': 'chunked' } }, nothing],
  ['blanks', { body: ' \r\n\t' }, nothing],
  ['an array', { body: '[]' }, noObject],
  ['null', { body: 'null' }, noObject],
  ['an empty string', { body: '""' }, noObject],
  ['a number', { body: '0' }, noObject],
  ['half an object', { body: '{"secret' }, noJson],
  ['a trailing comma', { body: '{"a":1,}' }, noJson],
  ['NaN', { body: '{"a":NaN}' }, noJson],
  ['a raw control character', { body: '{"a":"\u0000"}' }, noJson],
  ['bytes that are not UTF-8', { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }, noUtf8],
  ['half a character at the end', { body: Buffer.from([0x7b, 0x7d, 0xe2, 0x82]) }, noUtf8],
  ['bad UTF-8 in gzip', { body: gzipSync(Buffer.from([0xff])), headers: { 'Content-Encoding': 'gzip' } }, noUtf8],
  ['one level too many', { body: `{"a":${'['.repeat(8)}${']'.repeat(8)}}` }, tooDeep],
  ['5,000 levels of objects', { body: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}` }, tooDeep],
  ['40,000 levels of arrays', { body: `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}` }, tooDeep],
  ['a number beyond all numbers', { body: '{"a":[1e400]}' }, invalidJson('A number is out of range.')],
  ['__proto__', { body: '{"data":{"__proto__":{"a":1}}}' }, noProto],
  ['__proto__ in disguise', { body: '{"data":{"\\u005f_prot\\u006f__":1}}' }, noProto],
  [
    'another encoding',
    { body: '{}', headers: { 'Content-Encoding': 'zstd' } },
    refused(
      415,
      'Unsupported Media Type',
      'The request body has a Content-Encoding which the server does not support.',
    ),
  ],
  [
    'another media type',
    { body: '{}', headers: { 'Content-Type': 'text/plain' } },
    refused(
      415,
      'Unsupported Media Type',
      'The request entity has a media type which the server or resource does not support.',
    ),
  ],
  [
    'a body that is no gzip',
    { body: '{"a":1}', headers: { 'Content-Encoding': 'gzip' } },
    refused(400, 'Bad Request', 'The request body does not fit its Content-Encoding.'),
  ],
  [
    'half a gzip',
    { body: gzipSync('{"a":1}').subarray(0, 15), headers: { 'Content-Encoding': 'gzip' } },
    refused(400, 'Bad Request', 'The request body does not fit its Content-Encoding.'),
  ],
  ['a byte too many', { body: sizedDocument(100_001) }, tooLarge],
  ['a byte too many, in chunks', { body: sizedDocument(100_001), chunked: true }, tooLarge],
  ['two megabytes', { body: sizedDocument(2_000_000) }, tooLarge],
  ['a gzip bomb', { body: gzipSync(Buffer.alloc(50_000_000, 32)), headers: { 'Content-Encoding': 'gzip' } }, tooLarge],
])('%s is refused, and the next request is served', async (_name, message, expected) => {
  expect(await echoed(message)).toEqual(expected)
  expect(await echoed({ body: '{"still":"alive"}' })).toEqual({ status: 200, document: echo({ still: 'alive' }) })
})

test('413 closes the connection', async () => {
  const { headers } = await server.send({ body: sizedDocument(100_001), chunked: true })
  expect(headers.connection).toBe('close')
})

test('415 for an encoding names those that are understood', async () => {
  const { headers } = await server.send({ body: '{}', headers: { 'Content-Encoding': 'gzip, br' } })
  expect(headers['accept-encoding']).toBe('gzip, x-gzip, deflate, br')
})

test('an answer that comes before the body was read leaves a connection that works', async () => {
  const head = 'Host: x\r\nContent-Type: application/vnd.api+json\r\n'
  const body = sizedDocument(80_000)
  const answers = await server.raw(
    `POST /unread HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`,
    `POST / HTTP/1.1\r\n${head}Content-Length: 7\r\nConnection: close\r\n\r\n{"a":1}`,
  )
  expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 200'])
})

test('a refusal in the middle of a body leaves a connection that works', async () => {
  const head = 'Host: x\r\nContent-Type: application/vnd.api+json\r\n'
  const body = `\xff${'x'.repeat(90_000)}`
  const answers = await server.raw(
    Buffer.from(`POST / HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`, 'latin1'),
    `POST / HTTP/1.1\r\n${head}Content-Length: 7\r\nConnection: close\r\n\r\n{"a":1}`,
  )
  expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200'])
})

test.each([
  ['plain', ''],
  ['gzip', 'Content-Encoding: gzip\r\n'],
])('a client that leaves in the middle of a %s body ends the reading', async (_name, header) => {
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/vnd.api+json\r\n${header}Content-Length: 100\r\n\r\n`
  socket.write(Buffer.concat([Buffer.from(head), gzipSync('{"a":1}').subarray(0, 10)]))
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  await expect.poll(() => outcomes).toEqual([expect.stringMatching(/ended before|not UTF-8/)])
  expect((await echoed({ body: '{}' })).status).toBe(200)
})

test('a body that someone else has read is a mistake of the application, not of the client', async () => {
  const logged: unknown[] = []
  const greedy = await tinyServer(
    async (ctx) => {
      for await (const _ of ctx.req);
      await readBody({ koa: ctx, received: receive(ctx.req, ctx.res), formBody: null }, limits)
    },
    { logger: { ...console, error: (fields: object) => void logged.push(fields) } },
  )
  const { status } = await greedy.send({ body: '{}' })
  await greedy.close()
  expect([status, String((logged[0] as { err: unknown }).err)]).toEqual([
    500,
    'Error: The request body is gone: a middleware before api.middleware() has read it. Mount api.middleware() before it.',
  ])
})
