import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { executable, useBrowser } from './chromium.ts'

// The pictures of the documentation; `npm run pictures` keeps them.

const api = useApi({ baseUrl: 'http://127.0.0.1' })
const folder = path.resolve(import.meta.dirname, '../../docs/images')

async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate('document.activeElement.blur()')
  const image = await page.screenshot({ animations: 'disabled' })
  expect(image.length).toBeLessThan(150_000)
  if (!process.env.PICTURES) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, `${name}.png`), image)
}

describe.skipIf(!executable)('the pictures', () => {
  const browser = useBrowser(api)
  const open = async (path: string, options = {}) => {
    const page = await browser.open({ viewport: { width: 1100, height: 720 }, colorScheme: 'light', ...options })
    await page.goto(api.url(path))
    return page
  }

  test('of the map', async () => {
    const page = await open('/api/v1')
    await browser.signIn(page, users.admin)
    await page.goto(api.url('/api/v1'))
    await picture(page, 'map')
  })

  test('of a collection, when it is dark', async () => {
    const search =
      'include=author&fields[posts]=title,publishedAt,author,tags&fields[users]=name&page[number]=1&page[size]=6'
    const page = await open(`/posts?${search}`, { colorScheme: 'dark' })
    await page.locator('details.controls > summary').click()
    await picture(page, 'collection')
  })

  test('of a form with errors', async () => {
    const page = await open('/posts?fields[posts]=title&page[number]=1&page[size]=1')
    await browser.signIn(page, users.member3)
    const form = page.locator('#create')
    await page.locator('details.controls > summary').click()
    await form.locator('summary').click()
    await form.getByLabel('slug').fill('Not A Slug')
    await form.getByLabel('content').fill('It says so.')
    await form.getByRole('button').click()
    await form.locator('#create-slug-error').waitFor({ state: 'visible' })
    await form.evaluate('document.querySelector("#create").scrollIntoView()')
    await picture(page, 'form')
  })
})
