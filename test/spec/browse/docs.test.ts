import { expect, test } from 'vitest'
import { findViewer } from '../../../src/browse/frame/docs.ts'
import { mediaType, useApi, users } from '../../support/api.ts'
import { browserOf } from '../../support/pages.ts'
import { theExample, useServers } from '../../support/servers.ts'

const api = useApi()
const browser = browserOf(api)
const inProduction = useServers(async () => ({ ...(await theExample()), production: true }))

test.each(['/api/v1', '/api/v2'])('the reference of %s is a page that loads nothing from elsewhere', async (base) => {
  const { status, headers, text } = await browser.send(`${base}/docs`)
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
  const [source] = [...text.matchAll(/src="([^"]+)"/g)].map(([, url]) => url as string)
  expect(source).toMatch(new RegExp(`^${base}/docs/assets/openapi-explorer\\.js\\?`))
  const script = await browser.send(source as string, { headers: { Accept: '*/*' } })
  expect([script.status, script.headers.get('Content-Type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect((await browser.send(`${base}/docs/assets/package.json`)).status).toBe(404)
})

test('it is served in production, too, as the document that it shows', async () => {
  const answer = await fetch(`${inProduction.at}/api/v1/docs`, { headers: { Accept: 'text/html' } })
  expect([answer.status, (await answer.text()).slice(0, 15)]).toEqual([200, '<!doctype html>'])
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

test('without the package there is none', async () => {
  const notInstalled = () => {
    throw new Error('Cannot find package')
  }
  expect(await findViewer(notInstalled)).toBeNull()
})
