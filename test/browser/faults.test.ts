import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { executable, useBrowser } from './chromium.ts'
import { desk, phone } from './pages.ts'

// What was wrong to see once: text that runs into other text, or out of the window.

const api = useApi({ baseUrl: 'http://127.0.0.1' })
const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(5)

describe.skipIf(!executable)('a page', () => {
  const browser = useBrowser(api)
  let id = 0
  beforeAll(async () => {
    if (executable) id = (await addPost(api.db, { title: word, synopsis: word, createdAt: new Date() })).id
  })

  test('is no wider than a phone because of a long word', async () => {
    const page = await browser.at('/api/v2', users.admin, { viewport: phone })
    const widths: unknown[] = []
    for (const path of [
      '/posts',
      `/posts/${id}`,
      `/posts/${id}?-edit=true`,
      `/posts/${id}?-delete=true`,
      '/posts?fields[posts]=title,synopsis',
    ]) {
      await page.goto(api.url(`/api/v2${path}`))
      widths.push([path, await page.evaluate('document.documentElement.scrollWidth')])
    }
    expect(widths.filter((each) => (each as [string, number])[1] !== phone.width)).toEqual([])
  })

  test('has names that end where the next column begins', async () => {
    const page = await browser.at('/api/v2/posts', users.admin, { viewport: desk })
    const [end, next] = (await page.evaluate(
      "(([name, next]) => [name.querySelector('a').getBoundingClientRect().right, next.getBoundingClientRect().left])(document.querySelector('tbody tr').cells)",
    )) as [number, number]
    expect(end).toBeLessThanOrEqual(next)
  })

  test('has pills that are no wider than their words', async () => {
    for (const viewport of [desk, phone]) {
      const page = await browser.at('/api/v2/videos?fields[videos]=title,featured', users.admin, { viewport })
      const [pill, cell] = (await page.evaluate(
        "(([pill, cell]) => [pill.offsetWidth, cell.offsetWidth])([document.querySelector('td .mark'), document.querySelector('td:has(.mark)')])",
      )) as [number, number]
      expect(pill).toBeLessThan(cell / 2)
    }
  })

  test('rings a field that has the focus, and not its hint', async () => {
    const page = await browser.at(`/api/v2/posts/${id}?-edit=true`, users.admin, { viewport: desk })
    await page.locator('#update-title').focus()
    const [ring, hint] = (await page.evaluate(
      "((field) => [field.getBoundingClientRect().bottom + parseFloat(getComputedStyle(field).outlineOffset) + parseFloat(getComputedStyle(field).outlineWidth), document.getElementById(field.id + '-hint').getBoundingClientRect().top])(document.activeElement)",
    )) as [number, number]
    expect(ring).toBeLessThanOrEqual(hint)
  })
})
