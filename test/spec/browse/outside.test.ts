import { describe, expect, test } from 'vitest'
import { mediaType } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept } from '../../support/pages.ts'
import { useServers } from '../../support/servers.ts'

// Outside of all servers a browser gets a page, too, and everybody else JSON:API.

const serversNamed = (...names: readonly string[]) =>
  useServers(() => ({ policies: new Map(), production: false, servers: names.map((name) => openServer(name, {})) }))
const two = serversNamed('one', 'two')
const single = serversNamed('only')
const closed = useServers(() => ({ policies: new Map(), production: true, servers: [openServer('closed', {})] }))

const ask = (at: string, path: string, accept = browserAccept) =>
  fetch(`${at}${path}`, { headers: { Accept: accept }, redirect: 'manual' })

describe('a browser', () => {
  test.each(['/', '/api', '/api/'])('finds the ways to all servers at %s', async (path) => {
    const response = await ask(two.at, path)
    const text = await response.text()
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
    for (const name of ['one', 'two']) expect(text).toContain(`<a href="/api/${name}">`)
  })

  test.each(['/', '/api'])('is led from %s to the only server', async (path) => {
    const response = await ask(single.at, path)
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/api/only'])
  })

  test('is told with a way on that there is nothing', async () => {
    const response = await ask(two.at, '/nowhere')
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('<a href="/api/one">')
  })
})

test.each([
  ['who asks for JSON:API', () => two.at, mediaType],
  ['a browser of servers without pages', () => closed.at, browserAccept],
])('%s gets an error of JSON:API', async (_, at, accept) => {
  const response = await ask(at(), '/', accept)
  expect([response.status, response.headers.get('Content-Type')]).toEqual([404, mediaType])
})
