import { describe, expect, test } from 'vitest'
import { useBoot } from '../../support/boot.ts'

// A base path that cannot be served stops the start: the root of a host is not one, because a server would take every URL of it.

const boot = useBoot()

const start = (basePath: string) =>
  boot({
    'src/app/v1/server.js': `import { Server } from 'prismapi'
export default class V1 extends Server {
  name = 'v1'
  basePath = ${JSON.stringify(basePath)}
}`,
  })

describe('a base path', () => {
  test.each(['/v1', '/api/v1', '/~a/b-c.d', '/%C3%A9'])('may be %j', async (basePath) => {
    expect((await start(basePath)).servers.map((server) => server.basePath)).toEqual([basePath])
  })

  test.each([
    '',
    '/',
    '//',
    'v1',
    '/v1/',
    '//v1',
    '/api//v1',
    '/api/../v1',
    '/api?v=1',
    '/api#v1',
    '/\\v1',
    '/a b',
    '/é',
  ])('that is %j stops the start', async (basePath) => {
    await expect(start(basePath)).rejects.toThrow(
      new Error(
        `src/app/v1/server.js: Server v1: basePath is ${JSON.stringify(basePath)}. Begin it with a slash and end it with none, as "/api/v1": a path as URLs have it, and not the root alone.`,
      ),
    )
  })
})

test.each(['', 'a.example', '/api', 'ftp://a.example', 'http://a.example?v=1'])(
  'a base URL that is %j stops the start',
  async (baseUrl) => {
    await expect(boot({}, baseUrl)).rejects.toThrow(
      `createApi({ baseUrl }): "${baseUrl}" is no http or https URL without a query. Write one such as https://api.example.org.`,
    )
  },
)
