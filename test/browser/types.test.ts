import { Server } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { largeSchema } from '../support/large-schema.ts'
import { resourcesOf } from '../support/resources-of.ts'
import { plain, useServers } from '../support/servers.ts'
import { executable, tabTo, useBrowser } from './chromium.ts'
import { desk } from './pages.ts'

// A type is found among hundreds by a word of its name and the keyboard.

class Large extends Server {
  override readonly name = 'large'

  override authorizable() {
    return false
  }
}

const { models, enums } = resourcesOf(largeSchema(296), resources.provider)
const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  // Those of the example have rows.
  resources: { ...resources, models: { ...models, ...resources.models }, enums: { ...enums, ...resources.enums } },
  servers: [plain(Large)],
}))

describe.skipIf(!executable)('the start page of a server with hundreds of types', () => {
  const browser = useBrowser({ url: (path) => servers.at + path, authorization: async () => '' })

  test('goes from a word to the first type that has it, by Enter', async () => {
    const page = await browser.open({ viewport: desk })
    await page.goto(`${servers.at}/api/large`)
    const shown = page.locator('.types > .card:visible')
    expect(await shown.count()).toBe(302)
    await tabTo(page, 'main input[type="search"]', 400)
    await page.keyboard.type('keyword OF')
    expect(await shown.locator('h3').allTextContents()).toEqual(['Tags'])
    expect(await page.locator('.group:visible').count()).toBe(1)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('parcel29')
    const found = await shown.locator('h3').allTextContents()
    expect(found).toHaveLength(7)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.textContent')).toBe(found[0])
    await page.locator('main').getByRole('searchbox').focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('tags')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${servers.at}/api/large/tags`)
    expect(await page.locator('h1').textContent()).toBe('Tags')
  })
})
