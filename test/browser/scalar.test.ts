import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import V1 from '../../src/app/v1/server.ts'
import { authSecret, users } from '../support/api.ts'
import { browserOf } from '../support/pages.ts'
import { exampleWith, useServers } from '../support/servers.ts'
import { executable, useBrowser } from './chromium.ts'

// The reference of a server that has chosen Scalar. What an application installs for that is in the folder scalar/.

class ByScalar extends V1 {
  override readonly docs = 'scalar'
}

const root = path.join(import.meta.dirname, 'scalar')
const servers = useServers(async () => ({ ...(await exampleWith(ByScalar, { root })), production: false }))
const api = {
  url: (to: string) => servers.at + to,
  authorization: async (userId: number) => `Bearer ${await signToken(userId, authSecret)}`,
}
const { send, signIn } = browserOf(api)
const file = readFileSync(path.join(root, 'node_modules/@scalar/api-reference/dist/browser/standalone.js'), 'utf8')

test('its page runs nothing but files of the server, and its policy says so', async () => {
  const { status, headers, text } = await send('/api/v1/docs')
  expect([status, headers.get('Content-Security-Policy')]).toEqual([
    200,
    "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ])
  expect([...text.matchAll(/<script[^>]*>[^<]*/g)].map(([tag]) => tag.replace(/\?[\w-]{12}"/, '?…"'))).toEqual([
    '<script src="/api/v1/-browse/assets/browse.js?…">',
    '<script type="module" src="/api/v1/docs/assets/scalar.js?…">',
    '<script type="module" src="/api/v1/docs/assets/docs.js?…">',
  ])
})

test('its script is that of the package, and browsers keep it', async () => {
  const { text: page } = await send('/api/v1/docs')
  const [, url = '', hash = ''] = /src="([^"]*scalar\.js\?([^"]*))"/.exec(page) ?? []
  const { status, headers, text } = await send(url, { headers: { 'Accept-Encoding': 'gzip' } })
  expect(text === file).toBe(true)
  const tag = `W/"${hash}"`
  const names = ['Content-Type', 'Content-Encoding', 'Cache-Control', 'X-Content-Type-Options', 'Vary', 'ETag']
  expect([status, ...names.map((name) => headers.get(name))]).toEqual([
    ...[200, 'text/javascript; charset=utf-8', 'gzip', 'private, max-age=31536000, immutable', 'nosniff'],
    ...['Accept-Encoding', tag],
  ])
  expect((await send(url, { headers: { 'If-None-Match': tag } })).status).toBe(304)
  expect((await send('/api/v1/docs/assets/openapi-explorer.js')).status).toBe(404)
})

test('its document is that of who is signed in on the pages', async () => {
  const { cookie } = await signIn(users.member3)
  const operations = async (headers: Record<string, string>) => {
    const { text } = await send('/api/v1/docs/openapi.json', { headers: { Accept: '*/*', ...headers } })
    return Object.keys(JSON.parse(text).paths['/api/v1/posts'])
  }
  expect(await operations({})).not.toContain('post')
  expect(await operations({ Cookie: cookie })).toContain('post')
})

describe.skipIf(!executable)('in a browser', () => {
  // It tells the console where documents differ from its own idea of OpenAPI.
  const browser = useBrowser(api, (message) => message.type() === 'warning' && isOfScalar(message.location().url))
  const isOfScalar = (url: string) => url.includes('/docs/assets/scalar.js')
  // Two types are enough, and sooner drawn.
  const reference = '/api/v1/docs?types=posts,tags'
  const opened = { viewport: { width: 1400, height: 900 } }

  /** Everything that a page asks for, and the answer. */
  function recorded(page: Page): string[] {
    const asked: string[] = []
    page.on('response', (response) => {
      const url = new URL(response.url())
      // Browsers ask for the sign of their tab when they like.
      if (url.pathname.endsWith('/icon.svg')) return
      asked.push(`${response.status()} ${url.origin === servers.at ? url.pathname : url}`)
    })
    page.on('requestfailed', (request) => asked.push(`failed ${request.url()}`))
    return asked
  }
  const files = [
    ...['200 /api/v1/docs', '200 /api/v1/docs/assets/docs.js', '200 /api/v1/docs/assets/scalar.js'],
    ...['browse.css', 'icons.css', 'browse.js'].map((name) => `200 /api/v1/-browse/assets/${name}`),
    '200 /api/v1/docs/assets/docs.css',
    '200 /api/v1/docs/openapi.json',
    // The rail asks for it.
    '200 /api/v1/-browse/counts',
  ]

  test('it shows what its reader may do, sends a request, and asks nothing but this server', async () => {
    const page = await browser.open(opened)
    const asked = recorded(page)
    await page.goto(api.url(reference))
    const contents = page.getByRole('navigation', { name: /^Sidebar/ })
    await contents.getByText('posts', { exact: true }).click()
    await contents.getByText('List posts').waitFor()
    expect(await contents.getByText('Create a post').count()).toBe(0)
    expect(await page.getByRole('status').count()).toBe(0)
    await page.waitForLoadState('networkidle')
    expect([...new Set(asked.splice(0))].toSorted()).toEqual(files.toSorted())
    expect(await page.locator('a[href^=http]').evaluateAll(hrefs)).toEqual(['https://www.scalar.com'])

    await contents.getByText('tags', { exact: true }).click()
    await contents.getByText('List tags').click()
    await page.getByRole('button', { name: /Test Request.*\/api\/v1\/tags\)?$/ }).click()
    const answered = page.waitForResponse((response) => response.url().startsWith(api.url('/api/v1/tags')))
    await page.getByRole('button', { name: /^Send/ }).first().click()
    expect((await answered).status()).toBe(200)
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual(['200 /api/v1/tags'])
  })

  test('to who has signed in on the pages it shows more', async () => {
    const page = await browser.at(reference, users.member3, opened)
    const contents = page.getByRole('navigation', { name: /^Sidebar/ })
    await contents.getByText('posts', { exact: true }).click()
    await contents.getByText('Create a post').waitFor()
  })

  test('it is light or dark as the system, or as its reader has chosen on the pages', async () => {
    const page = await browser.open({ ...opened, colorScheme: 'dark' })
    const theme = async () => {
      await page.goto(api.url(reference))
      await page.getByText('A publishing site').first().waitFor()
      return page.evaluate('document.body.className')
    }
    expect(await theme()).toBe('dark-mode')
    await page.goto(api.url('/api/v1'))
    await page.locator('.me > summary').click()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    expect(await theme()).toBe('light-mode')
  })
})

const hrefs = (links: readonly unknown[]) => [
  ...new Set(links.map((link) => (link as { getAttribute(name: string): string }).getAttribute('href'))),
]
