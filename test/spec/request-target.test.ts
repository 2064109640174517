import net from 'node:net'
import { Server, type Serving } from 'prismapi'
import { expect, test } from 'vitest'
import { origin, useApi } from '../support/api.ts'
import { plain, useServers } from '../support/servers.ts'

const api = useApi()

/** The whole answer to a request line that no client library would send. */
function send(target: string, { at = api.url('/posts'), host = 'x' } = {}): Promise<string> {
  const { hostname, port } = new URL(at)
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    )
    let text = ''
    socket
      .setEncoding('utf8')
      .on('data', (chunk) => (text += chunk))
      .on('error', reject)
      .on('end', () => resolve(text))
  })
}

test.each(['http://[/api/v1/posts/1', 'http://[/'])(
  'a request target that is no URL is refused with a document: %s',
  async (target) => {
    const [head = '', body = ''] = (await send(target)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(head).toMatch(/\r\nContent-Type: application\/vnd\.api\+json(\r\n|$)/)
    expect(JSON.parse(body)).toEqual({
      jsonapi: { version: '1.0' },
      errors: [{ status: '400', title: 'Bad Request', detail: 'The request target is no URL.' }],
    })
    expect((await api.guest.get('/posts/1')).status).toBe(200)
  },
)

const sentTo: string[] = []
class Noting extends Server {
  override readonly name: string = 'v1'
  override readonly models = ['Tag'] as const
  override authorizable = () => false
  override serving(phase: Serving) {
    sentTo.push(phase.url.href)
    phase.read('Tag', (_, { url }) => void sentTo.push(url.href))
  }
}
class Named extends Noting {
  override readonly host = 'API.example.org'
  override readonly name = 'v2'
}
const servers = useServers(() => ({ servers: [plain(Noting), plain(Named)], policies: new Map() }))

test.each(['', 'http://evil.example', 'https://evil.example:8080'])(
  'code of the application is told the public origin, whichever the client names: %s',
  async (sent) => {
    const path = '/api/v1/tags?page%5Bsize%5D=1'
    sentTo.length = 0
    expect(await send(sent + path, { at: servers.at })).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(sentTo).toEqual([origin + path, origin + path])
  },
)

test.each([
  ['api.example.org', 200],
  ['API.EXAMPLE.ORG:3000', 200],
  ['api.example.com', 404],
])('the name of a host is the same in capitals: %s', async (host, status) => {
  expect(await send('/api/v2/tags', { at: servers.at, host })).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})
