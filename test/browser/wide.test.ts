import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Koa, { type Context } from 'koa'
import { createApi, Policy, type Rules, Server } from 'prismapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type FixtureDatabase } from '../support/any-schema/databases.ts'
import { generators } from '../support/any-schema/fixtures.ts'
import { generateIn } from '../support/any-schema/generate.ts'
import { grownSchema } from '../support/grown-schema.ts'
import { isNight } from '../support/night.ts'
import { listen, plain } from '../support/servers.ts'
import { executable, useBrowser } from './chromium.ts'
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

// The long walk takes a quarter of an hour.
const sizes = isNight ? [56, 302] : [56]

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
  }, 180_000)
  afterAll(async () => {
    await close()
    rmSync(folder, { recursive: true })
  })

  test.each(['light', 'dark'] as const)('are never wider than the window, when they are %s', async (colorScheme) => {
    const faults: unknown[] = []
    const page = await browser.at('/api/v1', 1, { viewport: desk, colorScheme })
    for (const to of ['', ...types.flatMap((type) => [`/${type}`, `/${type}?-new=`])]) {
      await page.goto(url(`/api/v1${to}`))
      for (const viewport of [desk, phone]) {
        await page.setViewportSize(viewport)
        const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
        if (width > viewport.width) faults.push([to, viewport.width, width])
      }
      await page.setViewportSize(desk)
    }
    expect(faults).toEqual([])
  })

  test.runIf(size === 56)('begin with a home of less than three screens', async () => {
    const page = await browser.at('/api/v1', 1, { viewport: desk })
    expect(await page.locator('.types > .card').count()).toBe(size)
    expect(Number(await page.evaluate('document.documentElement.scrollHeight'))).toBeLessThan(3 * desk.height)
  })
})
