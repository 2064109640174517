import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { root } from './pages.ts'

const json = { 'Content-Type': 'application/vnd.api+json', Accept: 'application/vnd.api+json' }
const folder = path.join(root, 'docs/images')

/** Looks at the helpdesk of docs/tutorial.md as its reader does at each picture; `npm run pictures` keeps what is seen. */
export function tutorialPictures(browser: Browser): (name: string, origin: string) => Promise<void> {
  const signedIn = async (origin: string, name: string): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1100, height: 620 },
      locale: 'en-GB',
      timezoneId: 'UTC',
    })
    const page = await context.newPage()
    await page.goto(`${origin}/api/v1/-browse/sign-in`)
    await page.locator('[name=login]').fill(`${name}@example.com`)
    await page.locator('[name=password]').fill('password-of-the-seed')
    await page.locator('[name=password]').press('Enter')
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
    return page
  }

  const pictures: Readonly<Record<string, (origin: string) => Promise<Page>>> = {
    async 'tutorial-customer'(origin) {
      const page = await signedIn(origin, 'ben')
      await page.goto(`${origin}/api/v1/tickets`)
      const seen = (await page.locator('main').textContent()) ?? ''
      assert.match(seen, /The printer is on fire/)
      assert.doesNotMatch(seen, /My invoice is wrong/)
      return page
    },
    async 'tutorial-screen'(origin) {
      const page = await signedIn(origin, 'ann')
      await page.goto(`${origin}/api/v1/tickets/1`)
      assert.match((await page.locator('main').textContent()) ?? '', /Other open tickets/)
      return page
    },
    async 'tutorial-live'(origin) {
      const page = await signedIn(origin, 'ann')
      await page.goto(`${origin}/api/v1/tickets`)
      const { cookies } = await (await signedIn(origin, 'cleo')).context().storageState()
      const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const attributes = { subject: 'One shipment came back', body: 'Keep it.' }
      const { status } = await fetch(`${origin}/api/v1/tickets`, {
        method: 'POST',
        headers: { ...json, Cookie, Origin: origin },
        body: JSON.stringify({ data: { type: 'tickets', attributes } }),
      })
      assert.equal(status, 201)
      await page.getByText('One shipment came back').waitFor()
      return page
    },
  }

  return async (name, origin) => {
    const open = pictures[name]
    if (!open) throw new Error(`Nobody takes the picture ${name}.`)
    const page = await open(origin)
    const image = await page.screenshot({ animations: 'disabled' })
    assert.ok(image.length < 150_000, `${name} has ${image.length} bytes.`)
    await page.context().close()
    if (!process.env.PICTURES) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, `${name}.png`), image)
  }
}
