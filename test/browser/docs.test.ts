import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { executable, findings, useBrowser } from './chromium.ts'

const api = useApi({ baseUrl: 'http://127.0.0.1' })

describe.skipIf(!executable)('the reference', () => {
  const browser = useBrowser(api)

  test('shows what the caller may do, and sends it with a token', async () => {
    const page = await browser.open({ viewport: { width: 1400, height: 900 } })
    await page.goto(api.url('/api/v1'))
    await page.locator('.me > summary').click()
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.getByText('A publishing site').first().waitFor()
    await page.getByText('List posts').first().waitFor()
    expect(await page.getByText('Create a post').count()).toBe(0)
    await page.goto(api.url('/api/v1'))
    await browser.signIn(page, users.member3)
    await page.goto(api.url('/api/v1/docs'))
    await page.getByText('Create a post').first().waitFor()
    await page.getByText('Authentication').first().click()
    const authorization = await api.authorization(users.member3)
    await page.locator('input.api-key-input').first().fill(authorization.slice('Bearer '.length))
    await page.getByRole('button', { name: 'SET' }).first().click()
    await page.getByText('List tags').first().click()
    await page.locator('h2:visible').first().waitFor()
    const heading = "document.querySelector('openapi-explorer').shadowRoot.querySelector('h2')"
    expect(await page.evaluate(`getComputedStyle(${heading}).fontSize`)).toBe('16px')
    const answered = page.waitForResponse((response) => response.url() === api.url('/tags'))
    await page.locator('.btn-execute').first().click()
    const response = await answered
    expect(response.status()).toBe(200)
    expect((await response.request().allHeaders()).authorization).toBe(authorization)
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(authorization.slice(7))
  })

  test.each(['light', 'dark'] as const)(
    'stands in the frame of the pages, and is %s as they are',
    async (colorScheme) => {
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 360, height: 740 },
      ]) {
        const page = await browser.at('/api/v2/docs', users.admin, { viewport, colorScheme })
        await page.getByText('A publishing site').nth(1).waitFor()
        expect(await page.locator('header .home, header .me').count()).toBe(2)
        expect(await page.locator('h1').first().textContent()).toBe('API reference')
        // The rail is the way back. Lines, fields and headings look as they do there.
        expect(await page.locator('#rail a', { hasText: 'Posts' }).isVisible()).toBe(viewport.width > 1000)
        const shadow = "document.querySelector('openapi-explorer').shadowRoot"
        const style = (element: string, name: string) =>
          page.evaluate(`getComputedStyle(${element})[${JSON.stringify(name)}]`)
        expect(await style(`${shadow}.querySelector('#api-title')`, 'fontSize')).toBe('20px')
        const field = `${shadow}.querySelector('#nav-bar-search')`
        const own = "document.querySelector('header [type=search]')"
        // On a phone the viewer has no list.
        const isWide = viewport.width > 1000
        for (const name of isWide ? ['fontSize', 'borderTopColor', 'backgroundColor', 'borderRadius'] : [])
          expect([name, await style(field, name)]).toEqual([name, await style(own, name)])
        const line = await style("document.querySelector('header')", 'borderBottomColor')
        for (const part of isWide ? ['.nav-bar', '.nav-scroll'] : [])
          expect([part, await style(`${shadow}.querySelector('${part}')`, 'borderTopColor')]).toEqual([part, line])
        const colour = (selector: string) => `getComputedStyle(${selector}).getPropertyValue('color')`
        const body = await page.evaluate(colour('document.body'))
        const viewer = "document.querySelector('openapi-explorer').shadowRoot.querySelector('.main-content')"
        expect(await page.evaluate(colour(viewer))).toBe(body)
        const sizes = await page.evaluate(
          '[document.documentElement.scrollWidth, document.documentElement.scrollHeight <= innerHeight]',
        )
        expect(sizes).toEqual([viewport.width, true])
        expect(await findings(page, ['color-contrast'])).toEqual([])
        await page.context().close()
      }
    },
  )

  test('waits for a document as long as the server takes', async () => {
    const page = await browser.open({ viewport: { width: 1400, height: 900 } })
    // The viewer by itself gives up after five seconds, without a word.
    await page.route('**/docs/openapi.json', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 6000))
      await route.continue()
    })
    await page.goto(api.url('/api/v1/docs'))
    await page.getByText('The document is being read…').waitFor()
    await page.getByText('List posts').first().waitFor()
    expect(await page.getByRole('status').count()).toBe(0)
  })

  test('says why a document cannot be shown', async () => {
    const page = await browser.open()
    await page.route('**/docs/openapi.json', (route) => route.fulfill({ status: 429 }))
    await page.goto(api.url('/api/v1/docs'))
    await page.getByText('cannot be shown').waitFor()
    expect(await page.getByRole('status').textContent()).toBe(
      'The document cannot be shown: the server answered 429. Load the page again.',
    )
  })
})
