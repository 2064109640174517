import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'

// Where one request ends and the next one begins is the same to a proxy and to this server, or the request is none. Otherwise a client
// could hide one request in another, which the proxy has not looked at and which stands before somebody else's.

const api = useApi()
const document = JSON.stringify({ data: { type: 'tags', attributes: { name: 'smuggled' } } })
const jsonapi = 'application/vnd.api+json'

/** The statuses of what is answered to these bytes, until the server ends the connection: they have to make it do so. */
async function statusesOf(bytes: string): Promise<readonly string[]> {
  const { port, hostname } = new URL(api.url('/tags'))
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status as string)
}

const last = 'GET /api/v1/tags/1 HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n'
const hidden = async () =>
  `POST /api/v1/tags HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nAuthorization: ${await api.authorization(users.admin)}\r\nContent-Type: ${jsonapi}\r\nContent-Length: ${document.length}\r\n\r\n${document}`
const written = () => api.db.tag.count({ where: { name: 'smuggled' } })

test('a request that stands behind another one is a request: what is tried below would be one', async () => {
  expect(await statusesOf(`GET /api/v1/tags/1 HTTP/1.1\r\nHost: a.example\r\n\r\n${await hidden()}`)).toEqual([
    '200',
    '201',
  ])
  await api.db.tag.deleteMany({ where: { name: 'smuggled' } })
})

describe('a request whose end could be found in two ways is none', () => {
  const withLength = (length: number | string) => `Content-Length: ${length}\r\n`
  const chunked = 'Transfer-Encoding: chunked\r\n'
  test.each<[string, string, string]>([
    ['a length and chunks', withLength(4) + chunked, '0\r\n\r\n'],
    ['chunks and a length', chunked + withLength(4), '0\r\n\r\n'],
    ['two lengths', withLength(0) + withLength(5), ''],
    ['a list of lengths', withLength('0, 5'), ''],
    ['a length with a sign', withLength('+0'), ''],
    ['a length that is negative', withLength(-1), ''],
    ['a length in hexadecimal', withLength('0x0'), ''],
    ['an encoding that nobody knows', 'Transfer-Encoding: xchunked\r\n', ''],
    ['an encoding behind chunks', 'Transfer-Encoding: chunked, identity\r\n', ''],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n', '0\r\n\r\n'],
    ['a header that goes on in the next line', 'X-Folded: a\r\n Transfer-Encoding: chunked\r\n', ''],
    ['a control character in a header', 'X-Header: a\u0001b\r\n', ''],
    ['a header without a name', ': a\r\n', ''],
    ['a size of a chunk in hexadecimal as C has it', chunked, '0x0\r\n\r\n'],
    ['a size of a chunk with a sign', chunked, '+0\r\n\r\n'],
    ['a size of a chunk that is larger than any number', chunked, 'ffffffffffffffffff\r\n'],
  ])('%s', async (_, headers, body) => {
    const head = `POST /api/v1/tags HTTP/1.1\r\nHost: a.example\r\nContent-Type: ${jsonapi}\r\n`
    const statuses = await statusesOf(`${head}${headers}\r\n${body}${await hidden()}`)
    expect([statuses, await written()]).toEqual([['400'], 0])
  })
})

describe('what is sent with a request is no request', () => {
  test.each<[string, string, string, string]>([
    [
      'that is refused before its body is read',
      '401',
      'POST /api/v1/tags',
      `Content-Type: ${jsonapi}\r\nAuthorization: Bearer wrong\r\n`,
    ],
    ['that does not read its body', '200', 'GET /api/v1/tags', `Content-Type: ${jsonapi}\r\n`],
    ['of another type', '415', 'POST /api/v1/tags', 'Content-Type: text/plain\r\n'],
    ['that is not found', '404', 'DELETE /api/v1/nothing', ''],
  ])('%s', async (_, status, target, more) => {
    const body = await hidden()
    const head = `${target} HTTP/1.1\r\nHost: a.example\r\n${more}Content-Length: ${body.length}\r\n`
    const statuses = await statusesOf(`${head}\r\n${body}${last}`)
    expect([statuses, await written()]).toEqual([[status, '200'], 0])
  })
})
