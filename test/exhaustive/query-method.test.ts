import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import { authSecret } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { partOf } from '../support/night.ts'
import { askedUrls } from '../support/readers/asked-urls.ts'
import { type Database, type Running, startServers, theExample } from '../support/servers.ts'

// Whatever a URL is answered, QUERY of its path with its query string as the body is answered as well.

let database: Database
let example: Running
beforeAll(async () => {
  database = await openTestDatabase()
  example = await startServers(database, await theExample())
})
afterAll(async () => {
  await example.close()
  await database.close()
})

const told = async (response: Response) => ({
  status: response.status,
  etag: response.headers.get('etag'),
  type: response.headers.get('content-type'),
  text: await response.text(),
})

test('every URL that any test reads has the same response by QUERY', async () => {
  const tokens = await Promise.all([1, 3].map((user) => signToken(user, authSecret)))
  const callers = [{}, ...tokens.map((token) => ({ authorization: `Bearer ${token}` }))]
  const urls = partOf(askedUrls())
  const found: string[] = []
  for (const [i, url] of urls.entries()) {
    const headers = { accept: 'application/vnd.api+json', ...callers[i % callers.length] }
    // As a URL is sent: what it cannot have as it is, is percent-encoded.
    const { pathname, search } = new URL(url, example.at)
    const asked = { method: 'QUERY', headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' } }
    const [one, other] = await Promise.all([
      fetch(example.at + pathname + search, { headers }).then(told),
      fetch(example.at + pathname, { ...asked, body: search.slice(1) }).then(told),
    ])
    // Nobody can GET it, and the refusal names the method.
    if (one.status === 405 && other.status === 405) continue
    if (JSON.stringify(one) !== JSON.stringify(other)) found.push(url)
  }
  expect(urls.length).toBeGreaterThan(1000)
  expect(found).toEqual([])
}, 600_000)
