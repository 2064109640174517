import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { executable, findings, tabTo } from './chromium.ts'
import { desk, phone, usePages } from './pages.ts'

// The page of a record and its forms, as people use them.

describe.skipIf(!executable)('a record', () => {
  const browser = usePages()
  let page: Page
  beforeAll(async () => {
    page = await browser.at('/api/v2', users.admin, { viewport: desk, timezoneId: 'Pacific/Auckland', locale: 'en-GB' })
  })
  const goto = (path: string) => page.goto(browser.url(`/api/v2${path}`))
  const message = () => page.locator('.done[role="status"]')
  const tagsOf = async (id: number) =>
    (await browser.db.tag.findMany({ where: { posts: { some: { id } } }, orderBy: { name: 'asc' } })).map(
      ({ name }) => name,
    )

  test('says the same day in the table, on its page and in its form, with the zone', async () => {
    // In Auckland it is the next day.
    const { id } = await addPost(browser.db, { title: 'Far east', publishedAt: new Date('2024-05-06T20:30:00Z') })
    await goto(`/posts?filter[id]=${id}&fields[posts]=title,publishedAt`)
    expect(await page.locator('tbody time').first().textContent()).toContain('7 May 2024')
    await goto(`/posts/${id}`)
    expect(await page.locator('dt:text-is("Published at") + dd').textContent()).toMatch(
      /7 May 2024.*08:30.*(?:NZST|GMT\+12)/,
    )
    await page.locator('#edit').click()
    const field = page.locator('#update-publishedAt')
    expect(await field.inputValue()).toBe('2024-05-07T08:30')
    expect(await page.locator('#update-publishedAt-hint').textContent()).toContain('Pacific/Auckland')
    await page.locator('#update-title').fill('Far east still')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await sent).postDataJSON().data).toEqual({
      type: 'posts',
      id: String(id),
      attributes: { title: 'Far east still' },
    })
    await message().waitFor()
    await page.locator('#edit').click()
    await field.fill('2024-05-08T09:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await message().waitFor()
    const { publishedAt } = await browser.db.post.findUniqueOrThrow({ where: { id } })
    expect(publishedAt?.toISOString()).toBe('2024-05-07T21:00:00.000Z')
  })

  test('is edited in one form with its relations, whose message takes it back', async () => {
    const { id } = await addPost(browser.db, { title: 'With chips', tags: { create: [{ name: 'chip one' }] } })
    await browser.db.tag.create({ data: { name: 'chip two' } })
    await goto(`/posts/${id}?-edit=true`)
    expect(await page.locator('#update .chip-in').allTextContents()).toEqual(['Member 3×', 'chip one×'])
    expect(await findings(page)).toEqual([])
    await page.locator('#update-tags').pressSequentially('chip tw')
    await page.locator('#update [role="option"]', { hasText: 'chip two' }).click()
    await page.getByRole('button', { name: 'Remove chip one' }).click()
    expect(await page.locator('#update .unsaved').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Remove Member 3' }).click()
    await page.locator('#update-author').pressSequentially('Member 4')
    await page.locator('#update [role="option"]').first().click()
    await page.locator('#update-title').fill('With other chips')
    await page.getByRole('button', { name: 'Save' }).click()
    await message().waitFor()
    expect(new URL(page.url()).search).toBe('')
    const stored = () => browser.db.post.findUniqueOrThrow({ where: { id } })
    expect([await tagsOf(id), (await stored()).authorId, (await stored()).title]).toEqual([
      ['chip two'],
      users.member4,
      'With other chips',
    ])
    expect(await findings(page)).toEqual([])
    await message().getByRole('button', { name: 'Undo' }).click()
    await message().getByText('Restored.').waitFor()
    expect([await tagsOf(id), (await stored()).authorId, (await stored()).title]).toEqual([
      ['chip one'],
      users.member3,
      'With chips',
    ])
  })

  test('loses a tag by ×, gets it back by Undo, and another by Add', async () => {
    const { id } = await addPost(browser.db, { title: 'Tagged', tags: { create: [{ name: 'quick one' }] } })
    await browser.db.tag.create({ data: { name: 'quick two' } })
    await goto(`/posts/${id}`)
    await page.getByRole('button', { name: 'Remove quick one' }).click()
    await message().getByText('Removed.').waitFor()
    expect(await tagsOf(id)).toEqual([])
    await message().getByRole('button', { name: 'Undo' }).click()
    await message().getByText('Added.').waitFor()
    expect(await tagsOf(id)).toEqual(['quick one'])
    await page.locator('#add-tags > summary').click()
    await page.locator('#add-tags input[data-search]').pressSequentially('quick t')
    const list = page.locator('#add-tags [role="listbox"]')
    await list.waitFor()
    const [shown, field, button] = await Promise.all(
      [list, page.locator('#add-tags input[data-search]'), page.locator('#add-tags .asks')].map((each) =>
        each.boundingBox(),
      ),
    )
    expect([shown?.width, shown && button && shown.y + shown.height <= button.y]).toEqual([field?.width, true])
    await page.locator('#add-tags [role="option"]').first().click()
    expect(await findings(page)).toEqual([])
    await page.locator('#add-tags').getByRole('button', { name: 'Add', exact: true }).click()
    await message().getByText('Added.').waitFor()
    expect(await tagsOf(id)).toEqual(['quick one', 'quick two'])
  })

  test.each([
    ['wide', desk],
    ['on a phone', phone],
  ])('keeps Save in sight, and what is required on the first screen, %s', async (_, viewport) => {
    await page.setViewportSize(viewport)
    const { id } = await addPost(browser.db)
    const inSight = async (selector: string) => {
      const box = await page.locator(selector).boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= viewport.height
    }
    await goto(`/posts/${id}?-edit=true`)
    expect(await inSight('#update .asks button')).toBe(true)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    expect(await inSight('#update .asks button')).toBe(true)
    for (const type of ['tags', 'videos', 'comments']) {
      await goto(`/${type}?-new=`)
      const required = await page
        .locator('#create :is(input, textarea, select)[required]')
        .evaluateAll((all) => all.map(({ id }) => `#${id}`))
      expect(required.length).toBeGreaterThan(0)
      for (const each of required) expect([type, each, await inSight(each)]).toEqual([type, each, true])
      expect(await inSight('#create .asks button')).toBe(true)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
    }
    await page.setViewportSize(desk)
  })

  test('has tabs for the keyboard, and none of them is wider than a phone', async () => {
    const { id } = await addPost(browser.db, { title: `${'Long'.repeat(60)}`, synopsis: 'x'.repeat(300) })
    await page.setViewportSize(phone)
    for (const tab of ['', 'related', 'history', 'permissions']) {
      await goto(`/posts/${id}?-tab=${tab}`)
      expect([tab, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([tab, phone.width])
      expect([tab, await findings(page)]).toEqual([tab, []])
    }
    await page.setViewportSize(desk)
    const heights = new Set<unknown>()
    for (const tab of ['', 'related', 'permissions']) {
      await goto(`/posts/${id}?-tab=${tab}`)
      heights.add((await page.locator('.tabs').boundingBox())?.y)
    }
    expect(heights.size).toBe(1)
    await goto(`/posts/${id}`)
    await tabTo(page, '.tabs a:last-child')
    await page.keyboard.press('Enter')
    await page.waitForURL(/-tab=permissions/)
    expect(await page.locator('.tabs [aria-current="page"]').textContent()).toBe('Permissions')
  })

  test('has a history on phones that says only what there is to say', async () => {
    await page.setViewportSize(phone)
    const tag = await browser.db.tag.create({ data: { name: 'told on a phone' } })
    const { id } = await addPost(browser.db, { tags: { connect: [{ id: tag.id }] } })
    await browser.db.post.update({ where: { id }, data: { updatedAt: new Date() } })
    await goto(`/posts/${id}?-tab=history`)
    const lines = await page
      .locator('.history tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.innerText.replace(/\s+/g, ' ')))
    expect(lines.filter((line) => line.includes('Updated'))).toEqual([])
    expect(lines.find((line) => line.includes('Linked'))).toMatch(/Linked Tags: – → told on a phone$/)
    await page.setViewportSize(desk)
  })
})
