import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildSite } from '../support/documentation/site.ts'
import { executable, findings, useBrowser } from './chromium.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** What serves files does: `/` is `/index.html`. */
function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = path.join(folder, pathname === '/' ? 'index.html' : pathname)
    try {
      response
        .setHeader('Content-Type', types[path.extname(file)] ?? 'application/octet-stream')
        .end(readFileSync(file))
    } catch {
      response.writeHead(404).end()
    }
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

describe.skipIf(!executable)('the site of the documentation', () => {
  let site: Awaited<ReturnType<typeof buildSite>>
  let server: Server
  const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const browser = useBrowser({ url, authorization: async () => '' })
  beforeAll(async () => {
    site = await buildSite()
    server = await serve(site.folder)
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })

  // What is best practice beyond the guidelines is up to the theme, which is VitePress's.
  const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']

  test('who searches for "cursor" comes to the cursors of the pages', async () => {
    const page = await browser.open()
    await page.goto(url('/'))
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('#localsearch-input').fill('cursor')
    const results = page.locator('.VPLocalSearchBox .results')
    await results
      .locator('a', { hasText: 'Pagination' })
      .filter({ hasText: /Use cursors$/ })
      .first()
      .click()
    await page.waitForURL(url('/pagination.html#use-cursors'))
    expect(await page.locator('h2#use-cursors').isVisible()).toBe(true)
  })

  test('the way through it leads from page to page', async () => {
    const page = await browser.open()
    await page.goto(url('/'))
    await page.getByRole('link', { name: 'From an empty folder to an API' }).click()
    await page.waitForURL(url('/start.html'))
    const next = page.locator('.pager-link.next')
    expect(await next.locator('.title').textContent()).toBe('Tutorial: a helpdesk')
    await next.click()
    await page.waitForURL(url('/tutorial.html'))
  })

  test.each(['light', 'dark'] as const)('everybody can use it, says axe, when it is %s', async (colorScheme) => {
    const page = await browser.open({ colorScheme, reducedMotion: 'reduce' })
    for (const name of ['/', '/pagination.html', '/getting-started.html']) {
      await page.goto(url(name))
      await page.locator('h1').first().waitFor()
      expect([name, await findings(page, standards)]).toEqual([name, []])
    }
    expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(colorScheme === 'dark')
  })

  test('reads on a phone without the page being wider than it', async () => {
    const page = await browser.open({ viewport: { width: 360, height: 740 } })
    for (const name of ['/', '/pagination.html', '/authorization.html']) {
      await page.goto(url(name))
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 360])
    }
  })
})
