import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { executable, seriousViolations, useBrowser } from './chromium.ts'

const api = useApi({ baseUrl: 'http://127.0.0.1' })

describe.skipIf(!executable)('in a browser', () => {
  const browser = useBrowser(api)
  const start = async (options = {}): Promise<Page> => {
    const page = await browser.open(options)
    await page.goto(api.url('/api/v1'))
    return page
  }
  const write = (page: Page, id: string) => page.locator(`#${id}`)

  describe('a reader', () => {
    let page: Page
    beforeAll(async () => {
      page = await start()
    })

    test('walks from the map to a post, and on to its author', async () => {
      expect(await page.locator('h1').textContent()).toBe('Map of the resources')
      await page.locator('svg a', { hasText: 'posts' }).click()
      expect(await page.locator('h1').textContent()).toBe('posts')
      await page.locator('tbody th a').first().click()
      expect(await page.locator('h1').textContent()).toMatch(/^posts \d+$/)
      await page.locator('dt:text-is("comments") + dd a', { hasText: 'show' }).click()
      expect(await page.locator('h1').textContent()).toMatch(/^comments of posts \d+$/)
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'posts' }).click()
      expect(new URL(page.url()).pathname).toBe('/api/v1/posts')
    })

    test('includes, filters, sorts and pages by controls', async () => {
      await page.locator('details.controls > summary').click()
      await page.getByRole('checkbox', { name: 'author' }).first().check()
      await page.getByLabel('by').selectOption('title')
      await page.getByLabel('where').selectOption('filter[title][contains]')
      await page.getByLabel('is', { exact: true }).fill('1')
      await page.getByLabel('size').fill('3')
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      const asked = Object.fromEntries(new URL(page.url()).searchParams)
      expect(asked).toEqual({ include: 'author', sort: 'title', 'filter[title][contains]': '1', 'page[size]': '3' })
      expect(await page.locator('tbody tr').count()).toBe(3)
      expect(await page.locator('section h2', { hasText: 'Included' }).count()).toBe(1)
      const titles = await page.locator('tbody tr td:nth-child(2)').allTextContents()
      expect([...titles].sort()).toEqual(titles)
      await page.getByRole('link', { name: 'next' }).click()
      expect(new URL(page.url()).searchParams.get('page[number]')).toBe('2')
      expect(new URL(page.url()).searchParams.get('include')).toBe('author')
    })

    test('needs no script for that', async () => {
      const plain = await start({ javaScriptEnabled: false })
      await plain.goto(api.url('/posts'))
      await plain.locator('details.controls > summary').click()
      await plain.getByRole('checkbox', { name: 'tags' }).first().check()
      await plain.getByRole('button', { name: 'Ask', exact: true }).click()
      expect(new URL(plain.url()).search).toBe('?include=tags')
      expect(await plain.locator('section h2', { hasText: 'Included' }).count()).toBe(1)
    })
  })

  describe('a writer', () => {
    let page: Page
    beforeAll(async () => {
      page = await start()
      await browser.signIn(page, users.member3)
      await page.goto(api.url('/posts'))
    })

    test('creates: errors are shown at their fields, and then there are none', async () => {
      const form = write(page, 'create')
      await form.locator('summary').click()
      await form.getByLabel('slug').fill('Not A Slug')
      await form.getByLabel('content').fill('What it says.\nAnd more.')
      await form.getByRole('button').click()
      const error = form.locator('#create-slug-error')
      await error.waitFor({ state: 'visible' })
      expect(await form.locator('#create-title-error').textContent()).toBe('The title field is required.')
      expect(await form.getByLabel('slug').getAttribute('aria-invalid')).toBe('true')
      expect(await page.evaluate('document.activeElement.id')).toBe('create-title')
      expect(await form.locator('#create-content-error').isVisible()).toBe(false)
      await form.getByLabel('title').fill('Made by hand')
      await form.getByLabel('slug').fill('made-by-hand')
      await form.getByLabel('publishedAt').fill('2020-01-02T03:04')
      await form.getByRole('button').click()
      await page.waitForURL(/\/posts\/\d+$/)
      const row = await api.db.post.findFirstOrThrow({ where: { slug: 'made-by-hand' } })
      expect(row).toMatchObject({
        title: 'Made by hand',
        content: 'What it says.\nAnd more.',
        publishedAt: new Date('2020-01-02T03:04:00Z'),
        synopsis: null,
        authorId: users.member3,
      })
    })

    test('edits only what changes', async () => {
      const form = write(page, 'update')
      await form.locator('summary').click()
      await form.getByLabel('title').fill('Mended by hand')
      const sent = page.waitForRequest((request) => request.method() === 'PATCH')
      await form.getByRole('button').click()
      expect((await sent).postDataJSON().data.attributes).toEqual({ title: 'Mended by hand' })
      await page.locator('dd', { hasText: 'Mended by hand' }).waitFor()
    })

    test('sees what was saved after going to the content by the skip link', async () => {
      await page.reload()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#content$/)
      const form = write(page, 'update')
      await form.locator('summary').click()
      await form.getByLabel('title').fill('Saved from the content')
      await form.getByRole('button').click()
      await page.locator('dd', { hasText: 'Saved from the content' }).waitFor()
    })

    test('is told that somebody else was faster, and overwrites nothing', async () => {
      await page.reload()
      const form = write(page, 'update')
      await form.locator('summary').click()
      await form.getByLabel('title').fill('Too late')
      const [id] = /\d+$/.exec(new URL(page.url()).pathname) as RegExpExecArray
      const other = { data: { type: 'posts', id, attributes: { title: 'Sooner' } } }
      expect((await api.as(users.member3).patch(`/posts/${id}`, { body: other })).status).toBe(200)
      await form.getByRole('button').click()
      const alert = form.locator('[role="alert"]')
      await alert.waitFor({ state: 'visible' })
      expect(await alert.textContent()).toBe(
        'It was changed since this page was made. Reload the page to see it as it is now.',
      )
      expect((await api.db.post.findUniqueOrThrow({ where: { id: Number(id) } })).title).toBe('Sooner')
      await page.reload()
      await page.locator('dd', { hasText: 'Sooner' }).waitFor()
    })

    test('changes its tags', async () => {
      await page.locator('dt:text-is("tags") + dd a', { hasText: 'linkage' }).click()
      const tags = await api.db.tag.findMany({
        where: { name: { not: 'staff-pick' } },
        take: 3,
        orderBy: { id: 'asc' },
      })
      const [first, second, third] = tags.map(({ id }) => String(id)) as [string, string, string]
      const shown = () => page.locator('main ul.plain li').allTextContents()
      const change = async (id: string, ids: string) => {
        await write(page, id).locator('summary').click()
        await write(page, id).getByLabel('tags').fill(ids)
        const done = page.waitForResponse((response) => response.request().method() !== 'GET')
        await write(page, id).getByRole('button').click()
        await done
        await page.waitForLoadState()
        await page.waitForFunction(`!document.querySelector('#${id}').open`)
      }
      await change('attach', `${first}, ${second}`)
      expect(await shown()).toEqual([`tags ${first}`, `tags ${second}`])
      await change('detach', first)
      expect(await shown()).toEqual([`tags ${second}`])
      await change('replace', `${first},${third}`)
      expect((await shown()).sort()).toEqual([`tags ${first}`, `tags ${third}`].sort())
    })

    test('deletes', async () => {
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').last().click()
      const own = page.url()
      await write(page, 'delete').locator('summary').click()
      await write(page, 'delete').getByRole('button').click()
      await page.waitForURL(api.url('/posts'))
      await page.goto(own)
      expect(await page.locator('h1').textContent()).toBe('Error 404')
    })

    test('carries out an action, and names what a polymorphic relation leads to', async () => {
      const draft = await api.db.post.findFirstOrThrow({ where: { authorId: users.member3, publishedAt: null } })
      await page.goto(api.url(`/posts/${draft.id}`))
      await write(page, 'action-publish').locator('summary').click()
      await write(page, 'action-publish').getByRole('button').click()
      await page.locator('#action-publish:not([open])').waitFor({ state: 'attached' })
      expect((await api.db.post.findUniqueOrThrow({ where: { id: draft.id } })).publishedAt).toEqual(expect.any(Date))
      await page.goto(api.url('/comments'))
      const form = write(page, 'create')
      await form.locator('summary').click()
      await form.getByRole('textbox', { name: 'content' }).fill('Well said.')
      await form.getByLabel('type').selectOption('posts')
      await form.getByLabel('commentable').fill('999999')
      await form.getByRole('button').click()
      await form.locator('#create-commentable-error').waitFor({ state: 'visible' })
      await form.getByLabel('commentable').fill(String(draft.id))
      await form.getByRole('button').click()
      await page.waitForURL(/\/comments\/\d+$/)
      expect(await api.db.comment.count({ where: { content: 'Well said.', postId: draft.id } })).toBe(1)
    })

    test('signs out', async () => {
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('You are a guest.').waitFor()
    })
  })

  test('data that looks like scripts does nothing', async () => {
    const title = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'
    const data = { title, content: 'javascript:alert(3)', publishedAt: new Date(0), authorId: users.member3 }
    const { id } = await api.db.post.create({ data: { ...data, slug: 'looks-bad', synopsis: 'javascript:alert(4)' } })
    const page = await start()
    for (const path of [`/posts/${id}`, `/posts?filter[title]=${encodeURIComponent(title)}`]) {
      await page.goto(api.url(path))
      expect(await page.getByText(title).first().isVisible()).toBe(true)
      expect(await page.locator('main img, main script, a[href^="javascript"]').count()).toBe(0)
    }
  })

  describe('everybody', () => {
    const paths = [
      '/api/v1',
      '/posts?include=author,tags',
      '/posts/1',
      '/posts/1/relationships/tags',
      '/posts/0',
      '/videos',
    ]

    test.each(['light', 'dark'] as const)('can use the pages, says axe, when it is %s', async (colorScheme) => {
      const page = await start({ colorScheme })
      await browser.signIn(page, users.admin)
      for (const path of paths) {
        await page.goto(api.url(path))
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        expect([path, await seriousViolations(page)]).toEqual([path, []])
      }
    })

    test('reads on a phone without the page being wider than it', async () => {
      const page = await start({ viewport: { width: 360, height: 740 } })
      for (const path of paths) {
        await page.goto(api.url(path))
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360])
      }
    })

    test('changes light into dark, which is kept', async () => {
      const page = await start({ colorScheme: 'light' })
      const back = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(await back()).toBe('rgb(255, 255, 255)')
      await page.getByRole('button', { name: 'Light or dark' }).click()
      expect(await back()).toBe('rgb(18, 22, 28)')
      await page.reload()
      expect(await back()).toBe('rgb(18, 22, 28)')
    })

    test('gets everywhere by the keyboard alone', async () => {
      const page = await start()
      const focused = () => page.evaluate('document.activeElement.textContent.trim()')
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('Skip to the content')
      await page.keyboard.press('Enter')
      for (let i = 0; i < 12 && (await focused()) !== 'posts'; i++) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(api.url('/posts'))
      for (let i = 0; i < 12 && (await focused()) !== 'Ask for more, or less'; i++) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await page.keyboard.press('Enter')
      await page.waitForURL(/include=/)
    })
  })
})
