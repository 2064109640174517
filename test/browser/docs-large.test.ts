import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Koa, { type Context } from 'koa'
import type { Page } from 'playwright-core'
import { createApi, Policy, type Rules, Server } from 'prismapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type FixtureDatabase } from '../support/any-schema/databases.ts'
import { generators } from '../support/any-schema/fixtures.ts'
import { generateIn } from '../support/any-schema/generate.ts'
import { grownSchema } from '../support/grown-schema.ts'
import { plain } from '../support/servers.ts'
import { executable, findings, useBrowser } from './chromium.ts'

// A reader of the reference of three hundred types never waits for all of them: docs/browsing.md.

class V1 extends Server {
  override readonly name = 'v1'
  // What a busy machine takes is not asked here.
  override readonly limits = { requestMilliseconds: Number.POSITIVE_INFINITY }
}

/** Everybody may read three of the models; somebody who has signed in may do everything. */
const policyOf = (model: string) =>
  class extends Policy<never> {
    override abilities({ can }: Rules<never>, user: unknown) {
      if (user) can([this.reads, this.writes, 'create'] as never)
      else if (forAll.includes(model)) can(this.reads as never)
    }
  }
const forAll = ['BillingAddress', 'CatalogAddress', 'OAuthClient']

const quiet = () => {}

const authenticate = ({ headers }: Context) =>
  headers.authorization === 'Bearer sesame' ? { id: 'c1', role: 'ADMIN' } : null

describe.skipIf(!executable)('the reference of a server with 302 types', () => {
  let database: FixtureDatabase
  let origin: string
  let close = async (): Promise<void> => {}
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-docs-'))
  const url = (to: string) => `${origin}${to}`
  const browser = useBrowser({ url, authorization: async () => 'Bearer sesame' })

  beforeAll(async () => {
    const generated = await generateIn(folder, generators + grownSchema(302))
    database = await databases.sqlite(generated)
    const { resources } = generated
    const api = createApi({
      resources,
      clients: database.clients,
      servers: [plain(V1)],
      policies: new Map(Object.keys(resources.models).map((model) => [model, policyOf(model)])) as never,
      authenticate: authenticate as never,
      baseUrl: 'http://127.0.0.1',
      production: false,
      logger: { debug: quiet, info: quiet, warn: quiet, error: console.error },
    })
    const server = createServer(new Koa().use(api.middleware()).use(api.notFound()).callback())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    close = async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await database.close()
    }
  })
  afterAll(async () => {
    await close()
    rmSync(folder, { recursive: true })
  })

  test('shows the operations of one type at a time, and asks for no other part of the document', async () => {
    const page = await browser.open({ viewport: { width: 1400, height: 900 } })
    const asked: string[] = []
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      const { pathname, search } = new URL(request.url())
      if (!pathname.endsWith('/openapi.json')) return
      asked.push(pathname + search)
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.goto(url('/api/v1'))
    await browser.signIn(page, 1)
    await page.goto(url('/api/v1/docs'))
    const types = await page.locator('select[name=types] option').allTextContents()
    expect(types).toHaveLength(302)
    const [first = ''] = types
    await isShown(page, listing(first))
    expect(await page.getByText(listing('oauth-clients')).count()).toBe(0)

    await page.locator('select[name="types"]').selectOption('oauth-clients')
    await page.getByRole('button', { name: 'Show' }).click()
    await isShown(page, listing('oauth-clients'))
    expect(await page.locator('select[name="types"]').inputValue()).toBe('oauth-clients')
    expect(await page.getByText('Create an OAuth client').count()).toBeGreaterThan(0)
    expect(await page.getByText(listing(first)).count()).toBe(0)

    await page.getByText(listing('oauth-clients')).first().click()
    const answered = page.waitForResponse((response) => response.url() === url('/api/v1/oauth-clients'))
    await page.locator('.btn-execute').first().click()
    // The page is a guest to the API itself.
    expect((await answered).status()).toBe(200)

    const part = (type: string) => `/api/v1/docs/openapi.json?types=${type}`
    expect(asked).toEqual([part(first), part('oauth-clients')])
    // The whole has six megabytes.
    for (const size of await Promise.all(sizes)) expect(size).toBeLessThan(1_500_000)
  })

  test('and its start page finds each of them', async () => {
    const page = await browser.open({ viewport: { width: 360, height: 740 } })
    await page.goto(url('/api/v1'))
    await browser.signIn(page, 1)
    const shown = page.locator('.types > .card:visible')
    expect(await shown.count()).toBe(302)
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await page.getByRole('heading', { name: 'O', exact: true }).isVisible()).toBe(true)
    await page.getByRole('main').getByRole('searchbox', { name: 'Filter the types' }).fill('oauth clients')
    expect(await shown.locator('h3').allTextContents()).toEqual(['OAuth clients'])
    expect(await page.locator('.group:visible').count()).toBe(1)
    await shown.getByRole('link').click()
    expect(await page.locator('h1').textContent()).toBe('OAuth clients')
  })

  test('names the types to a guest of which the guest may do something, and no others', async () => {
    const page = await browser.open()
    await page.goto(url('/api/v1/docs'))
    await isShown(page, listing('billing-addresses'))
    expect(await page.locator('select[name=types] option').allTextContents()).toEqual([
      'billing-addresses',
      'catalog-addresses',
      'oauth-clients',
    ])
    await page.goto(url('/api/v1/docs?types=oauth-clients'))
    await isShown(page, listing('oauth-clients'))
    expect(await page.getByText('Create an OAuth client').count()).toBe(0)
  })
})

/** Waits for as long as a busy machine may take. */
const isShown = (page: Page, text: string) => page.getByText(text).first().waitFor({ timeout: 120_000 })

/** What the reference calls the request for a collection. */
const listing = (type: string): string => `List ${type.replaceAll('-', ' ')}`
