import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { executable, findings, useBrowser } from './chromium.ts'

// What people come for takes at most six clicks from the start page. A choice in a menu is a click, too; typing is none.

const api = useApi({ baseUrl: 'http://127.0.0.1' })
const mostClicks = 6

describe.skipIf(!executable)('from the start page, in at most six clicks,', () => {
  const browser = useBrowser(api)

  async function start(userId: number) {
    const page: Page = await browser.open({ viewport: { width: 1440, height: 900 } })
    await page.goto(api.url('/api/v2'))
    await browser.signIn(page, userId)
    await page.goto(api.url('/api/v2'))
    let clicks = 0
    return {
      page,
      clicks: () => clicks,
      async click(target: Locator) {
        clicks++
        await target.click()
        await page.waitForLoadState()
      },
    }
  }

  test('an administrator finds all unpublished posts of one author, and publishes them', async () => {
    const authorId = users.member4
    await addPost(api.db, { authorId, publishedAt: null })
    const drafts = { authorId, publishedAt: null, deletedAt: null }
    const before = await api.db.post.findMany({ where: drafts })
    expect(before.length).toBeGreaterThan(1)
    const others = await api.db.post.count({ where: { authorId: { not: authorId }, publishedAt: null } })
    const { page, click, clicks } = await start(users.admin)
    await page.keyboard.type('/Member 4\n')
    await page.waitForURL(/search/)
    await click(page.locator('main').getByRole('link', { name: 'Member 4', exact: true }))
    await click(page.locator('dt').getByRole('link', { name: 'Posts' }))
    await page.getByRole('columnheader', { name: 'Published at' }).hover()
    await click(page.getByRole('link', { name: 'Only where published at is empty' }))
    expect(await page.locator('tbody tr').count()).toBe(before.length)
    await click(page.getByRole('checkbox', { name: 'All rows' }))
    // What the type itself can do stands first.
    expect(await page.locator('#many button:visible').first().textContent()).toBe('Publish')
    await click(page.locator('#many').getByRole('button', { name: 'Publish' }))
    await click(page.getByRole('button', { name: 'Publish' }))
    await page.getByText(`Done: Publish: ${before.length}`).waitFor()
    const ids = before.map(({ id }) => id)
    expect(await api.db.post.count({ where: { id: { in: ids }, publishedAt: { not: null } } })).toBe(ids.length)
    expect(await api.db.post.count({ where: { authorId: { not: authorId }, publishedAt: null } })).toBe(others)
    expect(clicks()).toBe(mostClicks)
  })

  test('a member comments a video', async () => {
    const { page, click, clicks } = await start(users.member3)
    await click(page.locator('.types a', { hasText: 'videos' }))
    await click(page.locator('tbody th a').first())
    const video = new URL(page.url()).pathname.split('/').pop() as string
    await click(page.getByRole('link', { name: 'New comment' }))
    await page.getByRole('textbox', { name: 'content' }).fill('In four clicks.')
    await click(page.getByRole('button', { name: 'Save' }))
    await page.getByText('Created:').waitFor()
    expect(await api.db.comment.count({ where: { content: 'In four clicks.', videoId: video } })).toBe(1)
    expect(clicks()).toBeLessThanOrEqual(4)
  })

  test('an editor finds out why a post cannot be deleted', async () => {
    const post = await addPost(api.db, { title: 'Held by a comment', createdAt: new Date() })
    await api.db.comment.create({ data: { content: 'Stays.', authorId: users.member3, postId: post.id } })
    const { page, click, clicks } = await start(users.editor)
    await click(page.locator('main').getByRole('link', { name: 'Held by a comment' }).first())
    await click(page.getByRole('link', { name: 'Permissions' }))
    const answer = page.locator('.permissions li', { hasText: /^no\s*Delete/ })
    const refused = await api.as(users.editor).request('DELETE', `/api/v2/posts/${post.id}`)
    expect([refused.status, await answer.locator('.why p').first().textContent()]).toEqual([
      422,
      refused.body.errors[0].detail,
    ])
    expect(await answer.locator('.rule').isVisible()).toBe(false)
    await answer.getByText('Where this is decided').click()
    expect(await answer.locator('.rule').isVisible()).toBe(true)
    expect(await answer.locator('.rule').textContent()).toMatch(/^deleteRules\(\) requests\/post\.request\.ts:\d+$/)
    expect(await findings(page)).toEqual([])
    expect(clicks()).toBeLessThanOrEqual(2)
    // What is refused is no button. Its reason leads to what is in the way.
    expect(await page.getByRole('link', { name: 'Delete', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Details' }).click()
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true)
    expect(await findings(page)).toEqual([])
    await click(page.getByRole('link', { name: 'A post with comments cannot be deleted.' }))
    expect(await page.locator('.why p').first().textContent()).toBe('A post with comments cannot be deleted.')
    expect(await page.locator('.blockers a').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    expect(await findings(page)).toEqual([])
    expect((await api.db.post.findUniqueOrThrow({ where: { id: post.id } })).deletedAt).toBeNull()
  })

  test('and a member, why the post of somebody else cannot', async () => {
    await addPost(api.db, { title: 'Of another member', authorId: users.member4, createdAt: new Date() })
    const { page, click, clicks } = await start(users.member3)
    await click(page.locator('.types a', { hasText: 'posts' }))
    await click(page.getByRole('link', { name: 'Of another member' }))
    await click(page.getByRole('link', { name: 'Permissions' }))
    const answer = page.locator('.permissions li', { hasText: /^no\s*(?:\w+, )*Delete/ })
    expect(await answer.locator('.why p').first().textContent()).toBe('You may not do this with this record.')
    expect(await findings(page)).toEqual([])
    expect(clicks()).toBeLessThanOrEqual(mostClicks)
  })
})
