import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Delegates } from '@prismapi/core/database/store'
import Koa, { type Context } from 'koa'
import { createApi, Policy, type Rules, Server } from 'prismapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type FixtureDatabase } from '../support/any-schema/databases.ts'
import { generators } from '../support/any-schema/fixtures.ts'
import { generateIn } from '../support/any-schema/generate.ts'
import { grownSchema } from '../support/grown-schema.ts'
import { isNight, partOf } from '../support/night.ts'
import { fillRandomly, randomNumbers } from '../support/readers/random-rows.ts'
import { listen, plain } from '../support/servers.ts'
import { executable, findings, useBrowser } from './chromium.ts'
import { desk, phone } from './pages.ts'

// Whatever schema comes: no page is wider than the window, and what is needed first is on the first screen.

class V1 extends Server {
  override readonly name = 'v1'
  override readonly limits = { requestMilliseconds: Number.POSITIVE_INFINITY }
}

class Open extends Policy<never> {
  override abilities({ can }: Rules<never>) {
    can([this.reads, this.writes, 'create'] as never)
  }
}

const quiet = () => {}
const authenticate = ({ headers }: Context) =>
  headers.authorization === 'Bearer sesame' ? { id: 'c1', role: 'ADMIN' } : null

// The long walk takes an hour: in CI some types of the smaller schema have their turn.
const sizes = isNight ? [56, 302] : [56]
const share = 28
const rows = 4

/** What is wrong with how a page lies in its window. */
const layout = `(() => {
  const { scrollWidth } = document.documentElement
  const below = [...document.querySelectorAll('#create [required]')].filter((each) => each.getBoundingClientRect().top > innerHeight)
  const wide = [...document.querySelectorAll('main table')].filter((each) => each.scrollWidth > innerWidth)
  return [
    ...(scrollWidth > innerWidth ? ['the page has ' + scrollWidth] : []),
    ...below.map(({ id }) => 'below the first screen: ' + id),
    ...wide.map((each) => 'a table has ' + each.scrollWidth),
  ]
})()`

describe.skipIf(!executable).each(sizes)('the pages of a schema of %i models', (size) => {
  let database: FixtureDatabase
  let at: string
  let types: readonly string[]
  let close = async (): Promise<void> => {}
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-wide-'))
  const url = (to: string) => `${at}${to}`
  const browser = useBrowser({ url, authorization: async () => 'Bearer sesame' })

  beforeAll(async () => {
    const generated = await generateIn(folder, generators + grownSchema(size))
    database = await databases.sqlite(generated)
    const { resources } = generated
    const { writer } = database.clients as unknown as { readonly writer: Delegates }
    await fillRandomly(writer, resources, randomNumbers(size), rows)
    const api = createApi({
      resources,
      clients: database.clients,
      servers: [plain(V1)],
      policies: new Map(Object.keys(resources.models).map((model) => [model, Open])) as never,
      authenticate: authenticate as never,
      baseUrl: 'http://127.0.0.1',
      production: false,
      logger: { debug: quiet, info: quiet, warn: quiet, error: console.error },
    })
    const listening = await listen(new Koa().use(api.middleware()).use(api.notFound()).callback())
    at = listening.at
    types = [...(api.servers[0]?.schemas.byType.keys() ?? [])]
    close = async () => {
      await listening.close()
      await database.close()
    }
  })
  afterAll(async () => {
    await close()
    rmSync(folder, { recursive: true })
  })

  test.each(['light', 'dark'] as const)(
    'fit the window, and axe finds nothing, when they are %s',
    async (colorScheme) => {
      const faults: unknown[] = []
      const page = await browser.at('/api/v1', 1, { viewport: desk, colorScheme })
      const look = async (to: string) => {
        await page.goto(url(`/api/v1${to}`))
        for (const viewport of [phone, desk]) {
          await page.setViewportSize(viewport)
          const wrong = [...((await page.evaluate(layout)) as readonly string[]), ...(await findings(page))]
          if (wrong.length > 0) faults.push([to, viewport.width, ...wrong])
        }
      }
      await look('')
      for (const type of partOf(types, share)) {
        await look(`/${type}`)
        const record = (await page.locator('tbody th a').first().getAttribute('href'))?.slice('/api/v1'.length)
        for (const to of [`/${type}?-new=`, record, `${record}?-edit=true`, `${record}?-tab=permissions`])
          await look(String(to))
      }
      expect(faults).toEqual([])
    },
  )

  test.runIf(size === 56)('begin with a home of less than three screens', async () => {
    const page = await browser.at('/api/v1', 1, { viewport: desk })
    expect(await page.locator('.types > .card').count()).toBe(size)
    expect(Number(await page.evaluate('document.documentElement.scrollHeight'))).toBeLessThan(3 * desk.height)
    await page.setViewportSize(phone)
    await page.getByRole('main').getByRole('searchbox', { name: 'Filter the types' }).fill('chat')
    await page.locator('.types > .card:visible').getByRole('link').first().click()
    expect(await page.locator('h1').textContent()).toMatch(/^Chat /)
  })
})
