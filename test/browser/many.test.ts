import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { executable, findings, useBrowser } from './chromium.ts'

// Rows of a table are chosen, and changed or deleted together.

const api = useApi({ baseUrl: 'http://127.0.0.1' })

describe.skipIf(!executable)('many rows', () => {
  const { at } = useBrowser(api)
  /** Three posts, and the page that lists them alone. */
  async function three(data: object = {}) {
    const slug = `many-${Math.random().toString(36).slice(2)}`
    const ids: number[] = []
    for (const i of [1, 2, 3])
      ids.push((await addPost(api.db, { title: `${slug} ${i}`, slug: `${slug}-${i}`, ...data })).id)
    return { ids, path: `/api/v2/posts?filter[title][startsWith]=${slug}&sort=title` }
  }
  const stored = (ids: readonly number[]) =>
    api.db.post.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'asc' } })

  test('get one value: all are chosen by one click, and one is left out', async () => {
    const { ids, path } = await three()
    const page = await at(path, users.admin)
    await page.getByRole('checkbox', { name: 'All rows' }).check()
    expect(await page.locator('tbody input[type="checkbox"]:checked').count()).toBe(3)
    expect(await findings(page)).toEqual([])
    await page.locator('tbody input[type="checkbox"]').last().uncheck()
    expect(new URL(page.url()).pathname).toBe('/api/v2/posts')
    await page.locator('#many select').selectOption('Synopsis')
    await page.getByRole('heading', { name: 'Synopsis of 2 posts' }).waitFor()
    expect(await findings(page)).toEqual([])
    await page.locator('#many-synopsis').fill('The same for both.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changed: 2').waitFor()
    expect((await stored(ids)).map(({ synopsis }) => synopsis)).toEqual([
      ...['The same for both.', 'The same for both.', null],
    ])
    expect(await page.locator('tbody tr').count()).toBe(3)
    expect(new URL(page.url()).searchParams.get('sort')).toBe('title')
  })

  test('are deleted, on a phone and without a script', async () => {
    const { ids, path } = await three()
    const page = await at(path, users.editor, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    expect(await page.getByRole('checkbox', { name: 'All rows' }).isVisible()).toBe(false)
    for (const box of (await page.locator('tbody input[type="checkbox"]').all()).slice(1)) await box.check()
    await page.locator('#many').getByRole('button', { name: 'Delete' }).click()
    expect(await page.locator('h1').textContent()).toBe('Delete 2 posts?')
    await page.getByText('They are put into the bin.').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Deleted: 2').waitFor()
    expect((await stored(ids)).map(({ deletedAt }) => deletedAt !== null)).toEqual([false, true, true])
  })

  test('are not half done: what was wrong is said by row', async () => {
    const { ids, path } = await three()
    const [, second] = ids as [number, number, number]
    await api.db.comment.create({ data: { content: 'It stays.', postId: second, authorId: users.member3 } })
    const page = await at(`${path}&-many=delete`, users.editor)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    expect(await page.locator('h1').textContent()).toBe('Nothing was changed')
    const { title } = (await stored(ids))[1] as { title: string }
    expect(await page.locator('.errors li').allTextContents()).toEqual([
      `${title}: A post with comments cannot be deleted.`,
    ])
    expect(await findings(page)).toEqual([])
    expect((await stored(ids)).map(({ deletedAt }) => deletedAt)).toEqual([null, null, null])
    await page.locator(`#row-${second}`).uncheck()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Deleted: 2').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
  })

  test('are chosen by the keyboard alone, by a member who may change some of them', async () => {
    const own = await three()
    await api.db.post.update({ where: { id: own.ids[2] as number }, data: { authorId: users.member4 } })
    const page = await at(own.path, users.member3)
    const tabTo = async (selector: string, key = 'Tab') => {
      const isThere = () => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)
      for (let i = 0; i < 60 && !(await isThere()); i++) await page.keyboard.press(key)
    }
    await tabTo('[data-all]')
    await page.keyboard.press('Space')
    await tabTo('#many select', 'Shift+Tab')
    await page.keyboard.type('Syn')
    expect(new URL(page.url()).search).not.toContain('-many')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Synopsis of 2 posts' }).waitFor()
    expect(await page.getByText('you may not').count()).toBe(1)
    await tabTo('#many-synopsis')
    await page.keyboard.type('By keys.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Changed: 2').waitFor()
    expect((await stored(own.ids)).map(({ synopsis }) => synopsis)).toEqual(['By keys.', 'By keys.', null])
  })

  test('are for a guest to read', async () => {
    const { path } = await three()
    const page = await at(path, null)
    expect(await page.locator('tbody tr').count()).toBe(3)
    expect(await page.locator('main input[type="checkbox"]:visible, #many').count()).toBe(0)
  })
})
