import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { executable } from './chromium.ts'
import { desk, usePages } from './pages.ts'

// Without JavaScript a reader does all that others do, but search pickers and see what changes meanwhile.

describe.skipIf(!executable)('without JavaScript', () => {
  const browser = usePages()
  let page: Page
  let number = 0
  beforeAll(async () => {
    page = await browser.at('/api/v2', users.admin, { viewport: desk, javaScriptEnabled: false })
  })
  const goto = (path: string) => page.goto(browser.url(`/api/v2${path}`))
  const heading = () => page.locator('h1').textContent()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const post = (id: number) => browser.db.post.findUniqueOrThrow({ where: { id } })

  test('a reader goes from the start page to a table, writes a filter, takes it out, sorts, pages and chooses columns', async () => {
    await goto('')
    await page.locator('.types a', { hasText: 'posts' }).click()
    expect(await heading()).toBe('Posts')
    await page.getByLabel('Filter by').selectOption('title')
    await page.locator('#filter button').click()
    await page.getByLabel('Comparison').selectOption('contains')
    await page.getByLabel('Value').fill('1')
    await button('Apply').click()
    await page
      .getByRole('link', { name: 'Sort by Title' })
      .or(page.locator('thead th a[title="Sort by Title"]'))
      .click()
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      ...{ 'filter[title][contains]': '1', sort: 'title', 'page[after]': expect.any(String) },
    })
    await page.getByRole('link', { name: 'Title contains 1' }).click()
    expect(new URL(page.url()).search).toBe('?page[size]=15&sort=title')
    await page.locator('#view > summary').click()
    await page.getByRole('group', { name: 'Columns' }).getByRole('checkbox', { name: 'Body' }).uncheck()
    await page.locator('#view').getByRole('button', { name: 'Apply' }).click()
    expect(await page.locator('thead th', { hasText: 'Body' }).count()).toBe(0)
  })

  test('a reader narrows a list whose question is too long for a URL, pages, and goes back', async () => {
    const titles = Array.from({ length: 300 }, (_, i) => `Some title ${i}`).join()
    await addPost(browser.db, { title: 'Some title 7' })
    await addPost(browser.db, { title: 'Some title 8' })
    await goto(`/posts?filter[title][in]=${encodeURIComponent(titles)}&page[size]=1`)
    const first = page.url()
    expect(first).toMatch(/\/posts\?query=[\w-]+$/)
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    expect(page.url()).toMatch(/\?query=[\w-]+$/)
    await page.goBack()
    expect(page.url()).toBe(first)
    await page.getByLabel('Filter by').selectOption('title')
    await page.locator('#filter button').click()
    await page.getByLabel('Comparison').selectOption('endsWith')
    await page.getByLabel('Value').fill('7')
    await button('Apply').click()
    expect(page.url()).toMatch(/\?query=[\w-]+$/)
    expect(await page.locator('.chip').count()).toBe(2)
    expect(await page.locator('tbody th').allTextContents()).toEqual([expect.stringContaining('Some title 7')])
  })

  test('a writer creates, edits, is refused and keeps what was written', async () => {
    await goto('/posts')
    await page.getByRole('link', { name: 'New post' }).click()
    await page.getByLabel('title').fill('Without a script')
    await page.getByLabel('Body').fill('One line.\nAnother.')
    await page.getByText('More', { exact: true }).click()
    await page.locator('#create-author').fill(String(users.member3))
    await page.getByLabel('slug').fill('Not A Slug')
    await button('Save').click()
    expect(await page.locator('#create-slug-error').isVisible()).toBe(true)
    await page.getByLabel('slug').fill('without-a-script')
    await button('Save').click()
    await page.waitForURL(/\/posts\/\d+\?-did=create$/)
    expect(await page.getByRole('status').textContent()).toBe('Created.')
    expect(await heading()).toBe('Without a script')
    const id = Number(new URL(page.url()).pathname.split('/').pop())
    const before = await post(id)
    const edit = page.locator('#update')
    await page.locator('#edit').click()
    await edit.getByLabel('slug').fill('Not A Slug')
    await edit.getByLabel('synopsis').fill('In short.')
    await edit.getByLabel('Published at').fill('2024-05-06T07:08')
    await edit.getByRole('button').click()
    expect(await page.locator('#update-slug-error').isVisible()).toBe(true)
    expect(await page.locator('#update-synopsis').inputValue()).toBe('In short.')
    await edit.getByLabel('slug').fill('edited-without-a-script')
    await edit.getByRole('button').click()
    await page.locator('dd', { hasText: 'edited-without-a-script' }).waitFor()
    expect(await post(id)).toEqual({
      ...{ ...before, slug: 'edited-without-a-script', synopsis: 'In short.' },
      ...{ publishedAt: new Date('2024-05-06T07:08:00Z'), updatedAt: expect.any(Date) },
    })
  })

  test('a writer is shown what somebody else has saved, and saves over it', async () => {
    const { id } = await addPost(browser.db)
    await goto(`/posts/${id}`)
    const edit = page.locator('#update')
    await page.locator('#edit').click()
    await edit.getByLabel('title').fill('Mine')
    await browser.db.post.update({
      where: { id },
      data: { title: 'Theirs', synopsis: 'Theirs.', updatedAt: new Date() },
    })
    await edit.getByRole('button').click()
    expect(await edit.locator('.conflict tbody :is(th, td)').allTextContents()).toEqual(['Title', 'Theirs', 'Mine'])
    await edit.getByRole('button').click()
    await page.locator('dd', { hasText: 'Theirs.' }).waitFor()
    expect(await post(id)).toMatchObject({ title: 'Mine', synopsis: 'Theirs.' })
  })

  test('a writer ticks, carries out an action, and deletes', async () => {
    const video = await browser.db.video.create({ data: { title: 'Ticked', url: `https://v.example/${++number}` } })
    await goto(`/videos/${video.id}`)
    await page.locator('#edit').click()
    await page.getByRole('checkbox', { name: 'Featured' }).check()
    await page.locator('#update').getByRole('button').click()
    await page.locator('dd .mark.yes').waitFor()
    const { id } = await addPost(browser.db, { publishedAt: null })
    await goto(`/posts/${id}`)
    await page.locator('#action-publish > summary').click()
    await page.locator('#action-publish').getByRole('button').click()
    await page.waitForURL(browser.url(`/api/v2/posts/${id}?-did=action+publish`))
    expect((await post(id)).publishedAt).not.toBeNull()
    await page.getByRole('link', { name: 'Delete', exact: true }).click()
    await button('Delete').click()
    await page.waitForURL(browser.url(`/api/v2/posts?-did=delete+${id}`))
    expect((await post(id)).deletedAt).not.toBeNull()
  })

  test('a writer adds, removes and replaces what a relation holds, and sets and clears what it leads to', async () => {
    const { id } = await addPost(browser.db)
    const tags = await browser.db.tag.findMany({ take: 2, orderBy: { id: 'asc' } })
    const [first, second] = tags.map((tag) => String(tag.id)) as [string, string]
    const shown = async () => {
      const links = await page.locator('main .links-held li > a').all()
      return Promise.all(links.map(async (link) => (await link.getAttribute('href'))?.split('/').slice(-2).join(' ')))
    }
    const change = async (form: string, value: string | null) => {
      const folded = page.locator(`#${form}:not([open]) > summary`)
      if (await folded.isVisible()) await folded.click()
      if (value !== null) await page.locator(`#${form} input:not([type="hidden"])`).fill(value)
      await page.locator(`#${form}`).getByRole('button').click()
      await page.locator(`#${form}:not([open])`).or(page.locator('h1')).first().waitFor()
    }
    await goto(`/posts/${id}/relationships/tags`)
    await change('attach', `${first}, ${second}`)
    expect(await shown()).toEqual([`tags ${first}`, `tags ${second}`])
    await page.locator('.links-held button').first().click()
    expect(await shown()).toEqual([`tags ${second}`])
    await change('replace', first)
    expect(await shown()).toEqual([`tags ${first}`])
    const video = await browser.db.video.create({ data: { title: 'Owned', url: `https://v.example/${++number}` } })
    await goto(`/videos/${video.id}/relationships/owner`)
    await change('replace', String(users.member4))
    expect(await shown()).toEqual([`users ${users.member4}`])
    await change('clear', null)
    expect(await page.locator('.empty').isVisible()).toBe(true)
  })

  test('a reader sees the request and the document, what they may do, and the history', async () => {
    await goto('/posts/1')
    await page.getByRole('button', { name: 'For developers' }).click()
    await page.getByText('The request, for a program').click()
    await page.getByText('const response = await fetch').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Permissions' }).click()
    expect(await page.locator('.permissions li').first().isVisible()).toBe(true)
    const { id } = await addPost(browser.db, { title: 'With a past' })
    await goto(`/posts/${id}`)
    await page.getByRole('link', { name: 'History' }).click()
    expect(await page.locator('.history tbody tr').count()).toBe(1)
  })

  test('signs out', async () => {
    await page.locator('.me > summary').click()
    await button('Sign out').click()
    await page.locator('details.sign > summary').waitFor()
  })
})
