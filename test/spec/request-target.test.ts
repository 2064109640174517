import net from 'node:net'
import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'

const api = useApi()

/** The whole answer to a request line that no client library would send. */
function send(target: string): Promise<string> {
  const { hostname, port } = new URL(api.url('/posts'))
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
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
