import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { mediaType, useApi, users } from '../../support/api.ts'
import { useBoot } from '../../support/boot.ts'
import { expectTold } from '../../support/documentation/told.ts'
import { browserOf } from '../../support/pages.ts'
import { exampleWith, theExample, useServers } from '../../support/servers.ts'

const api = useApi()
const browser = browserOf(api)
const inProduction = useServers(async () => ({ ...(await theExample()), production: true }))

test.each(['/api/v1', '/api/v2'])('the reference of %s is a page that loads nothing from elsewhere', async (base) => {
  const { status, headers, text } = await browser.send(`${base}/docs`)
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
  const source = [...text.matchAll(/src="([^"]+)"/g)].map(([, url]) => url).find((url) => url?.includes('explorer'))
  expect(source).toMatch(new RegExp(`^${base}/docs/assets/openapi-explorer\\.js\\?`))
  const script = await browser.send(source as string, { headers: { Accept: '*/*' } })
  expect([script.status, script.headers.get('Content-Type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect((await browser.send(`${base}/docs/assets/package.json`)).status).toBe(404)
})

test('it is served in production, too, as the document that it shows', async () => {
  const answer = await fetch(`${inProduction.at}/api/v1/docs`, { headers: { Accept: 'text/html' } })
  const text = await answer.text()
  expect([answer.status, text.slice(0, 15)]).toEqual([200, '<!doctype html>'])
  // Where there are no pages, nothing leads to them, and the files are beside the reference.
  expect(text).not.toMatch(/-browse|<form|href="\/api\/v1"/)
  const files = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, url]) => url as string)
  expect(files.length).toBeGreaterThan(5)
  for (const file of files) expect([file, (await fetch(inProduction.at + file)).status]).toEqual([file, 200])
})

test('its address may be in upper case and end with a slash; the name of a file is exact', async () => {
  const answered = async (path: string) =>
    (await fetch(inProduction.at + path, { headers: { Accept: 'text/html' } })).status
  expect(await answered('/api/v1/DOCS')).toBe(200)
  expect(await answered('/api/v1/docs/')).toBe(200)
  expect(await answered('/api/v1/docs//')).toBe(404)
  expect(await answered('/api/v1/Docs/Assets/openapi-explorer.js')).toBe(200)
  expect(await answered('/api/v1/docs/assets/openapi-explorer.js/')).toBe(200)
  expect(await answered('/api/v1/docs/assets/OpenAPI-explorer.js')).toBe(404)
})

test('it is no page for who wants JSON:API', async () => {
  const { status, headers } = await browser.send('/api/v1/docs', { headers: { Accept: mediaType } })
  expect([status, headers.get('Content-Type')]).toEqual([406, mediaType])
})

test('its document is the one of who is signed in on the pages, for its own page only', async () => {
  const { cookie } = await browser.signIn(users.member3)
  const documentOf = async (headers: Record<string, string>) => {
    const { status, text } = await browser.send('/api/v1/docs/openapi.json', { headers: { Accept: '*/*', ...headers } })
    return status === 200 ? JSON.parse(text) : status
  }
  const headers = { Authorization: await api.authorization(users.member3) }
  const own = { servers: [{ url: '/' }] }
  expect(await documentOf({ Cookie: cookie })).toEqual({
    ...(await api.guest.get('/openapi.json', { headers })).body,
    ...own,
  })
  expect(await documentOf({})).toEqual({ ...(await api.guest.get('/openapi.json')).body, ...own })
  expect(await documentOf({ Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
})

class Without extends V1 {
  override readonly docs = false
}

/** The example below a folder without packages. */
const elsewhere = async () => {
  const { policies, servers } = await theExample()
  return { policies, servers: servers.map((each) => ({ ...each, root: tmpdir() })) }
}

describe.each([
  ['a server that wants none', () => exampleWith(Without)],
  ['an application that has not installed the viewer', elsewhere],
])('%s', (_, parts) => {
  const servers = useServers(async () => ({ ...(await parts()), production: false }))

  test('has no reference, and no link to one', async () => {
    const asked = async (path: string) => {
      const answer = await fetch(servers.at + path, { headers: { Accept: 'text/html' } })
      return [answer.status, (await answer.text()).includes('href="/api/v1/docs"')]
    }
    expect(await asked('/api/v1')).toEqual([200, false])
    for (const path of ['', '/openapi.json', '/assets/docs.js', '/assets/openapi-explorer.js'])
      expect(await asked(`/api/v1/docs${path}`), path).toEqual([404, false])
  })
})

describe('a start is refused', () => {
  const boot = useBoot()
  const server = (docs: string) => ({
    'src/app/v1/server.js': `import { Server } from 'prismapi'
export default class V1 extends Server {
  name = 'v1'
  docs = '${docs}'
}`,
  })

  test.each([
    [
      'where the viewer that was chosen is not installed',
      'scalar',
      'docs = \'scalar\' takes a package that is not installed. Run "npm install @scalar/api-reference", or leave docs out.',
    ],
    [
      'for a viewer that does not exist',
      'swagger',
      `docs: "swagger" shows no reference. Write 'openapi-explorer', 'scalar' or false.`,
    ],
  ])('%s', async (_, docs, why) => {
    const message = `src/app/v1/server.js: Server v1: ${why}`
    await expect(boot(server(docs))).rejects.toThrow(new Error(message))
    expectTold(message)
  })
})
