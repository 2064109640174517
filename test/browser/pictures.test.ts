import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { executable, useBrowser } from './chromium.ts'

// The pictures of the documentation; `npm run pictures` keeps them.

const api = useApi({ baseUrl: 'http://127.0.0.1' })
const folder = path.resolve(import.meta.dirname, '../../docs/images')

async function keep(page: Page, name: string): Promise<void> {
  await page.evaluate('document.activeElement.blur()')
  const image = await page.screenshot({ animations: 'disabled' })
  expect(image.length).toBeLessThan(150_000)
  if (!process.env.PICTURES) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, `${name}.png`), image)
}

interface Picture {
  readonly path: string
  /** By default the administrator. */
  readonly user?: number
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly prepare?: (page: Page) => Promise<void>
}

const fewColumns = 'fields[posts]=title,publishedAt,author,tags'
const narrowed = 'filter[author]=3,4&filter[publishedAt][isNull]=false&sort=-title'

const pictures: Readonly<Record<string, Picture>> = {
  map: { path: '/api/v1' },
  collection: { path: `/posts?${narrowed}&fields[posts]=title,slug,synopsis,publishedAt,author` },
  filter: { path: `/posts?filter[title][contains]=5&-field=publishedAt&${fewColumns}` },
  view: {
    path: '/videos',
    prepare: (page) => page.locator('details.controls > summary').click(),
  },
  resource: {
    path: '/posts/1',
    viewport: { width: 1100, height: 720 },
  },
  related: { path: '/users/3/posts' },
  picker: {
    path: '/posts/1/relationships/tags',
    async prepare(page) {
      await page.locator('#attach-tags').pressSequentially('tag')
      await page.locator('#attach [role="option"]').first().waitFor()
      await page.keyboard.press('ArrowDown')
      // The picture is taken without focus, which would close the list.
      await page.evaluate('document.activeElement.blur = () => {}')
    },
  },
  form: {
    path: '/posts?-new=',
    user: users.member3,
    async prepare(page) {
      const form = page.locator('#create')
      await form.getByLabel('slug').fill('Not A Slug')
      await form.getByLabel('content').fill('It says so.')
      await form.getByRole('button').click()
      await form.locator('#create-slug-error').waitFor({ state: 'visible' })
      await form.evaluate('scrollTo(0, 0)')
    },
  },
  permissions: { path: '/posts/1?-tab=permissions' },
  reference: {
    path: '/docs',
    async prepare(page) {
      await page.getByText('List posts').first().waitFor()
    },
  },
  groups: { path: '/api/v2/videos/-stats?groupBy=featured&withStats[*]=count&withStats[rating]=avg' },
  phone: { path: '/posts', viewport: { width: 360, height: 720 } },
}

describe.skipIf(!executable)('the pictures', () => {
  const browser = useBrowser(api)

  test.each(Object.keys(pictures))('of %s, light and dark', async (name) => {
    const { path, user = users.admin, viewport = { width: 1100, height: 720 }, prepare } = pictures[name] as Picture
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.at(path, user, { viewport, colorScheme, locale: 'en-GB', timezoneId: 'UTC' })
      await prepare?.(page)
      await keep(page, colorScheme === 'light' ? name : `${name}-dark`)
    }
  })
})
