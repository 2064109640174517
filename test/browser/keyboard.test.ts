import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { executable, tabTo } from './chromium.ts'
import { desk, usePages } from './pages.ts'

// All that is done on pages is done without a pointer, and the focus is never lost.

describe.skipIf(!executable)('by the keyboard alone', () => {
  const browser = usePages()
  const { url } = browser
  let page: Page
  beforeAll(async () => {
    page = await browser.at('/api/v2', users.admin, { viewport: desk })
  })
  const focused = () =>
    page.evaluate('(({ id, className, textContent }) => id || className || textContent.trim())(document.activeElement)')
  const isFocused = (what: string) => expect.poll(focused).toBe(what)
  const isAt = (selector: string) =>
    expect.poll(() => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)).toBe(true)
  const press = async (selector: string, key = 'Enter') => {
    await tabTo(page, selector)
    await page.keyboard.press(key)
  }

  test('a reader signs in and out', async () => {
    const guest = await browser.at('/api/v2', null, { viewport: desk })
    await tabTo(guest, 'details.sign > summary')
    await guest.keyboard.press('Enter')
    await tabTo(guest, '#token')
    await guest.keyboard.type((await browser.authorization(users.member3)).slice('Bearer '.length))
    await guest.keyboard.press('Enter')
    await guest.locator('.me .avatar').waitFor()
    await tabTo(guest, '.me > summary')
    await guest.keyboard.press('Enter')
    await tabTo(guest, 'form.sign button')
    await guest.keyboard.press('Space')
    await guest.locator('details.sign > summary').waitFor()
  })

  test('writes a filter, takes it out, sorts, and stays where that is done', async () => {
    await page.goto(url('/api/v2/posts?page[size]=4'))
    await press('#filter select', 'T')
    await press('#filter button')
    await page.waitForURL(/-field=title/)
    await tabTo(page, '#sentence select[name="-operator"]')
    await page.keyboard.type('cont')
    await tabTo(page, '#sentence input[name="-value"]')
    await page.keyboard.type('o')
    await page.keyboard.press('Enter')
    await page.waitForURL(/contains/)
    await isAt('#filter select')
    await press('thead th[scope="col"] a:not(.without)')
    await page.waitForURL(/sort=title/)
    await isFocused('Title')
    await page.keyboard.press('Enter')
    await page.waitForURL(/sort=-title/)
    await isFocused('Title')
    await page.goto(url('/api/v2/posts?page[size]=4&filter[title][contains]=o'))
    await press('.chip')
    await page.waitForURL((to) => !to.search.includes('filter'))
    await isFocused('content')
  })

  test('edits: what is wrong has the focus, and then what was opened', async () => {
    const { id } = await addPost(browser.db)
    await page.goto(url(`/api/v2/posts/${id}`))
    await press('#edit')
    await page.waitForURL(/-edit/)
    await tabTo(page, '#update-slug')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Not A Slug')
    await page.keyboard.press('Enter')
    await page.locator('#update-slug-error').waitFor({ state: 'visible' })
    await isFocused('update-slug')
    await page.keyboard.press('Control+A')
    await page.keyboard.type(`by-keys-${id}`)
    await press('#update .asks button', 'Space')
    await page.locator('dd', { hasText: `by-keys-${id}` }).waitFor()
    await isAt('#edit')
  })

  test('an error that is about no field leaves the focus at the button', async () => {
    const { id } = await addPost(browser.db)
    await page.goto(url(`/api/v2/posts/${id}/relationships/tags`))
    await page.route('**/relationships/tags', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, contentType: 'application/vnd.api+json', body: '{"errors":[{"title":"Busy"}]}' })
        : route.continue(),
    )
    await press('#attach .asks button')
    await page.locator('#attach [role="alert"]').waitFor({ state: 'visible' })
    expect(await page.evaluate("document.activeElement.matches('#attach .asks button')")).toBe(true)
    await page.unroute('**/relationships/tags')
  })

  test('is told of what somebody else has saved, and goes on from there', async () => {
    const { id } = await addPost(browser.db)
    await page.goto(url(`/api/v2/posts/${id}`))
    await press('#edit')
    await page.waitForURL(/-edit/)
    await tabTo(page, '#update-title')
    await page.keyboard.type('Mine ')
    await browser.db.post.update({ where: { id }, data: { synopsis: 'Theirs', updatedAt: new Date() } })
    await page.keyboard.press('Enter')
    await isFocused('conflict')
    await press('.conflict button:not(.other)')
    await page.locator('dd', { hasText: 'Mine' }).waitFor()
    await isAt('#edit')
  })

  test('publishes, and is at the content when the action is gone', async () => {
    const { id } = await addPost(browser.db, { publishedAt: null, authorId: users.admin })
    await page.goto(url(`/api/v2/posts/${id}`))
    await press('#action-publish > summary', 'Space')
    await press('#action-publish button')
    await expect
      .poll(async () => (await browser.db.post.findUniqueOrThrow({ where: { id } })).publishedAt)
      .not.toBeNull()
    await isAt('main, #action-publish > summary')
  })

  test('is asked before something is deleted, takes that back, and deletes', async () => {
    const { id } = await addPost(browser.db)
    await page.goto(url(`/api/v2/posts/${id}`))
    await press('#delete')
    await page.waitForURL(/-delete/)
    await tabTo(page, '.asks a')
    await page.keyboard.press('Enter')
    await page.waitForURL(url(`/api/v2/posts/${id}`))
    await press('#delete')
    await page.waitForURL(/-delete/)
    await press('button.bad', 'Space')
    await page.waitForURL(url('/api/v2/posts'))
  })

  test('searches a picker, leaves its list by Escape, and chooses by the arrows', async () => {
    const { id } = await addPost(browser.db)
    await page.goto(url(`/api/v2/posts/${id}/relationships/tags`))
    await tabTo(page, '#attach-tags')
    await page.keyboard.type('ag-7')
    const option = page.getByRole('option', { name: 'tag-7' })
    await option.waitFor()
    await page.keyboard.press('Escape')
    await option.waitFor({ state: 'hidden' })
    await isFocused('attach-tags')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('7')
    await option.waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await option.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await page.locator('#attach-tags').inputValue()).toBe('')
    expect(await page.locator('#attach .chip-in').allTextContents()).toEqual([`${'tag-7'}×`])
    await press('#attach .asks button')
    await page.locator('main .links-held a', { hasText: 'tag-7' }).waitFor()
    await isAt('#attach .asks button')
  })

  test('chooses how close rows stand, light or dark, and copies a request', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(url('/api/v2/tags'))
    for (const kept of ['html[data-density]', 'html:not([data-density])']) {
      await press('.me > summary')
      await press('button[name="density"]')
      await page.locator(kept).waitFor()
      await isAt('.me > summary')
    }
    await press('.skip')
    await press('.to-code')
    await press('.copy')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl -g/)
  })
})
