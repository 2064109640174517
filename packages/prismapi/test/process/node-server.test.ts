import { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorDocument, type TinyServer, tinyServer } from '../../../core/test/http/tiny-server.ts'
import { onClientError } from '../../src/process/node-server.ts'

let server: TinyServer
beforeAll(async () => {
  server = await tinyServer(async (ctx) => {
    ctx.respond = false
    ctx.res.writeHead(200).write('begun')
  })
})
afterAll(() => server.close())

test.each([
  ['no request at all', 'NONSENSE\r\n\r\n', 400, 'Bad Request'],
  ['a bad verb', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request'],
  ['a bad Content-Length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n', 400, 'Bad Request'],
  [
    'headers without end',
    `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'Request Header Fields Too Large',
  ],
])('%s is answered with a document', async (_name, bytes, status, title) => {
  const [head = '', body = ''] = (await server.raw(bytes)).split('\r\n\r\n')
  expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status} ${title}`)
  expect(head).toContain(`Content-Type: application/vnd.api+json\r\nContent-Length: ${body.length}\r\n`)
  expect(JSON.parse(body)).toEqual(errorDocument({ status: String(status), title }))
})

test('an answer that has begun is not continued with another', async () => {
  const answer = await server.raw(
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    await new Promise<string>((resolve) => setTimeout(resolve, 50, 'not a chunk\r\n')),
  )
  expect(answer.match(/HTTP\/1.1 \d+/g) ?? []).not.toContain('HTTP/1.1 400')
})

test('a socket that is gone gets nothing', () => {
  const written: unknown[] = []
  const socket = new Duplex({ write: (chunk, _encoding, done) => done(void written.push(chunk)), read: () => {} })
  onClientError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), socket)
  expect([written, socket.destroyed]).toEqual([[], true])
})
