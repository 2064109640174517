import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { executable, findings, useBrowser } from './chromium.ts'

// A related resource is created from where it is missed, and its reader comes back.

const api = useApi({ baseUrl: 'http://127.0.0.1' })

describe.skipIf(!executable)('one more of what a resource is related to', () => {
  const { at } = useBrowser(api)
  const commentsOf = (postId: number) => api.db.comment.findMany({ where: { postId } })

  test('a member comments a post, and is back at it', async () => {
    const { id } = await addPost(api.db, { title: 'To be commented' })
    const page = await at(`/posts/${id}`, users.member3)
    await page.getByRole('link', { name: 'New comment' }).click()
    expect(await page.locator('h1').textContent()).toBe('New comment')
    expect(await page.locator('#create .chip-in').textContent()).toBe('To be commented×')
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#create-content-error').waitFor({ state: 'visible' })
    await page.getByRole('textbox', { name: 'content' }).fill('Well said.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/-made=/)
    const [made, ...others] = await commentsOf(id)
    expect([made?.content, others]).toEqual(['Well said.', []])
    expect(page.url()).toBe(api.url(`/posts/${id}?-made=comments%2F${made?.id}`))
    expect(await page.getByRole('status').first().textContent()).toBe('Created: Well said.')
    expect(await findings(page)).toEqual([])
  })

  test('says at each field what is missing there', async () => {
    const page = await at('/comments?-new=', users.member3)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#create-content-error').waitFor({ state: 'visible' })
    const errors = page.locator('#create .error:visible')
    expect(await errors.allTextContents()).toEqual([
      'Not saved: 2 fields need your attention.',
      'The content field is required.',
      'The commentable field is required.',
    ])
  })

  test('the same without a script, on a phone', async () => {
    const { id } = await addPost(api.db)
    const page = await at(`/posts/${id}`, users.member3, {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    })
    await page.getByRole('link', { name: 'New comment' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await page.locator('#create-content-error').textContent()).toBe('The content field is required.')
    expect(await page.locator('#create-commentable').inputValue()).toBe(String(id))
    await page.getByRole('textbox', { name: 'content' }).fill('By a form.\nAnd more.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/-made=/)
    const [made] = await commentsOf(id)
    expect([made?.content, new URL(page.url()).pathname]).toEqual(['By a form.\nAnd more.', `/api/v1/posts/${id}`])
    expect(await page.getByRole('status').first().textContent()).toBe('Created: By a form. And more.')
  })

  test('an administrator makes a tag that is missed, by the keyboard alone, and finds it chosen', async () => {
    const { id } = await addPost(api.db)
    const page = await at(`/posts/${id}/relationships/tags`, users.admin)
    const press = async (key: string, name: string) => {
      const focused = () => page.evaluate('document.activeElement.textContent.trim()')
      for (let i = 0; i < 30 && (await focused()) !== name; i++) await page.keyboard.press('Tab')
      await page.keyboard.press(key)
    }
    await press('Enter', 'New tag')
    await page.waitForURL(/-new=/)
    for (let i = 0; i < 30 && (await page.evaluate('document.activeElement.id')) !== 'create-name'; i++)
      await page.keyboard.press('Tab')
    await page.keyboard.type('made on the way')
    await page.keyboard.press('Enter')
    await page.waitForURL(/-made=/)
    for (let i = 0; i < 40 && (await page.evaluate('document.activeElement.id')) !== 'attach-tags'; i++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('main .links-held a', { hasText: 'made on the way' }).waitFor()
    expect(await api.db.post.count({ where: { id, tags: { some: { name: 'made on the way' } } } })).toBe(1)
  })

  test('an administrator sees what a post has, and adds to it below, which is unsaved once something is chosen', async () => {
    const { id } = await addPost(api.db, { tags: { create: [{ name: 'held before' }] } })
    await api.db.tag.create({ data: { name: 'found by its name' } })
    const page = await at(`/posts/${id}/relationships/tags`, users.admin)
    const text = await page.locator('.linkage').innerText()
    expect(text.split('\n').filter((line) => line.trim() !== '')).toEqual([
      ...['held before', '×', 'Add tags', 'Tags', 'Type a part of its name.', 'Add', 'New tag', 'Replace all'],
    ])
    expect(await findings(page)).toEqual([])
    const unsaved = page.locator('#attach .unsaved')
    await page.locator('#attach-tags').pressSequentially('found by')
    const option = page.getByRole('option', { name: 'found by its name' })
    await option.waitFor()
    expect(await unsaved.isVisible()).toBe(false)
    await option.click()
    expect(await unsaved.textContent()).toBe('Not saved yet.')
    expect(await unsaved.isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.locator('.links-held a', { hasText: 'found by its name' }).waitFor()
    await page.getByText('Replace all').first().click()
    expect(await page.locator('#replace > p').textContent()).toBe(
      'What you choose here takes the place of all of them.',
    )
  })

  test('an administrator makes a tag that a new post lacks, and loses nothing of what was written', async () => {
    const page = await at('/posts?-new=', users.admin)
    await page.getByLabel('title').fill('Half written')
    await page.getByRole('textbox', { name: 'content' }).fill('One line.\nAnother.')
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('link', { name: 'New tag' }).click()
    await page.getByRole('textbox', { name: 'name' }).fill('lacked by a post')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/-made=/)
    const tag = await api.db.tag.findFirstOrThrow({ where: { name: 'lacked by a post' } })
    const values = ['title', 'content', 'tags'].map((name) => page.locator(`#create-${name}`).inputValue())
    expect(await Promise.all(values)).toEqual(['Half written', 'One line.\nAnother.', ''])
    expect(await page.locator('#create .chip-in').allTextContents()).toEqual(['lacked by a post×'])
    expect(await page.evaluate('document.activeElement.id')).toBe('create-tags')
    // Of all types the rail tells how many there are.
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual(['prismapi-counts'])
    expect(await findings(page)).toEqual([])
    await page.getByLabel('slug').fill('half-written')
    await page.getByText('More', { exact: true }).click()
    await page.locator('#create-author').fill(String(users.member3))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/posts\/\d+$/)
    const where = { slug: 'half-written', tags: { some: { id: tag.id } }, content: 'One line.\nAnother.' }
    expect(await api.db.post.count({ where })).toBe(1)
  })

  test('a guest is offered none', async () => {
    const { id } = await addPost(api.db)
    const page = await at(`/posts/${id}`, null)
    expect(await page.locator('h1').textContent()).toMatch(/^Added post/)
    expect(await page.locator('a.new').count()).toBe(0)
    await page.goto(api.url(`/comments?-new=commentable:posts:${id}`))
    await page.getByText('You may not create one.').waitFor()
    expect(await findings(page)).toEqual([])
  })
})
