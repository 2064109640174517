import { forbidden, unauthorized, unavailable } from '@prismapi/jsonapi/document/errors'
import type { Context } from 'koa'
import { afterEach, expect, test } from 'vitest'
import type { ErrorBoundaryOptions } from '../../../src/http/response/error-boundary.ts'
import { errorDocument, type TinyServer, tinyServer } from '../tiny-server.ts'

let server: TinyServer
afterEach(() => server.close())

async function answerTo(act: (ctx: Context) => unknown, options: Partial<ErrorBoundaryOptions> = {}) {
  server = await tinyServer(async (ctx) => void (await act(ctx)), options)
  const { status, headers, text } = await server.send({ method: 'GET' })
  return { status, headers, document: JSON.parse(text) }
}
const raise = (error: unknown) => () => {
  throw error
}
const internal = errorDocument({ id: expect.any(String), status: '500', title: 'Internal Server Error' })

test('a JsonApiError becomes its document, with its headers and those of every answer', async () => {
  const { status, headers, document } = await answerTo(raise(unauthorized('Bearer')))
  expect({ status, document }).toEqual({
    status: 401,
    document: errorDocument({ status: '401', title: 'Unauthorized', detail: 'Unauthenticated.' }),
  })
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.api+json',
    'cache-control': 'no-store',
    'www-authenticate': 'Bearer',
    'x-content-type-options': 'nosniff',
    vary: 'Accept',
  })
})

test('the document declares the version of the server asked', async () => {
  const { document } = await answerTo(raise(forbidden()), { version: () => '1.1' })
  expect(document.jsonapi).toEqual({ version: '1.1' })
})

test.each([
  ['with a message', (ctx: Context) => ctx.throw(409, 'Locked by Ada.'), 409, 'Conflict', { detail: 'Locked by Ada.' }],
  ['without a message', (ctx: Context) => ctx.throw(410), 410, 'Gone', {}],
  [
    'asserted',
    (ctx: Context) => ctx.assert(false, 404, 'No such thing.'),
    404,
    'Not Found',
    { detail: 'No such thing.' },
  ],
])('what Koa throws below 500, %s, keeps its status and phrase', async (_name, act, status, title, detail) => {
  const answer = await answerTo(act)
  expect([answer.status, answer.document]).toEqual([
    status,
    errorDocument({ status: String(status), title, ...detail }),
  ])
})

test('the headers of an HTTP error are kept', async () => {
  const { headers } = await answerTo((ctx) => ctx.throw(429, { headers: { 'Retry-After': '7' } }))
  expect(headers['retry-after']).toBe('7')
})

test.each([
  ['an error', new Error('select * from users at /srv/app.ts')],
  ['an error of a stranger that happens to have a status', Object.assign(new Error('upstream'), { status: 404 })],
  ['a string', 'boom'],
  ['nothing', undefined],
])('%s: 500 with an id that the log repeats with the cause, and nothing of it in production', async (_name, cause) => {
  const { status, document } = await answerTo(raise(cause))
  expect([status, document]).toEqual([500, internal])
  const [entry] = server.logged
  expect(entry).toEqual({
    level: 'error',
    fields: { id: document.errors[0].id, method: 'GET', path: '/', err: cause },
  })
})

test('outside production the document says the message, never the stack', async () => {
  const { document } = await answerTo(raise(new Error('boom')), { production: false })
  expect(document).toEqual(
    errorDocument({ id: expect.any(String), status: '500', title: 'Internal Server Error', meta: { message: 'boom' } }),
  )
})

test('a foreseen failure is logged with its cause and answered with its headers', async () => {
  const cause = new Error('pool timeout')
  const { status, headers } = await answerTo(raise(Object.assign(unavailable(3), { cause })))
  expect([status, headers['retry-after']]).toEqual([503, '3'])
  expect(server.logged).toEqual([{ level: 'warn', fields: { method: 'GET', path: '/', status: 503, err: cause } }])
})

test('headers of the answer that was not given are taken back', async () => {
  const { headers } = await answerTo((ctx) => {
    ctx.set({ ETag: '"1"', Location: '/posts/1', 'X-Request-Id': 'r1' })
    throw forbidden()
  })
  expect([headers.etag, headers.location, headers['x-request-id']]).toEqual([undefined, undefined, 'r1'])
})

test('a document that cannot be written is a 500, not half a 200', async () => {
  const { respond } = await import('../../../src/http/response/respond.ts')
  const { status, document } = await answerTo((ctx) =>
    respond(ctx, 200, { jsonapi: { version: '1.0' }, meta: { n: 1n } }),
  )
  expect([status, document]).toEqual([500, internal])
})

test('an error after the headers were sent ends the connection, and is logged', async () => {
  server = await tinyServer(async (ctx) => {
    ctx.respond = false
    ctx.res.writeHead(200, { 'Content-Type': 'application/vnd.api+json' })
    ctx.res.write('{"data":')
    throw new Error('too late')
  })
  const answer = await server.raw('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(answer.endsWith('0\r\n\r\n')).toBe(false)
  expect(server.logged.map(({ level, fields }) => [level, String(fields.err)])).toEqual([['error', 'Error: too late']])
})
