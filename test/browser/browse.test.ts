import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { executable, findings, useBrowser } from './chromium.ts'

const api = useApi({ baseUrl: 'http://127.0.0.1' })

/** Who uses a pointer needs no button. */
async function chooseField(page: Page, name: string): Promise<void> {
  await page.getByLabel('Filter by').dispatchEvent('pointerdown')
  await page.getByLabel('Filter by').selectOption(name)
  await page.waitForURL(/-field=/)
}

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
      expect(await page.locator('h1').textContent()).toBe('Home')
      await page.getByText('How the types are related').click()
      await page.locator('svg a', { hasText: 'posts' }).click()
      expect(await page.locator('h1').textContent()).toBe('Posts')
      await page.locator('tbody th a').first().click()
      expect(await page.locator('h1').textContent()).toMatch(/^Post \d+$/)
      await page.locator('dt').getByRole('link', { name: 'Comments' }).click()
      expect(await page.locator('h1').textContent()).toMatch(/^Comments of Post \d+$/)
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'posts' }).click()
      expect(new URL(page.url()).pathname).toBe('/api/v1/posts')
    })

    test('chooses columns, filters, sorts and pages by controls', async () => {
      await chooseField(page, 'title')
      await page.getByLabel('Comparison').selectOption('contains')
      await page.getByLabel('Value').fill('1')
      await page.getByRole('button', { name: 'Apply', exact: true }).click()
      await page.locator('details.controls > summary').click()
      await page.getByRole('group', { name: 'Columns' }).getByRole('checkbox', { name: 'Tags' }).check()
      await page.getByRole('group', { name: 'Sort' }).getByRole('combobox').selectOption('title')
      await page.getByRole('textbox', { name: 'Rows on a page' }).fill('3')
      await page.getByRole('button', { name: 'Apply', exact: true }).click()
      await page.waitForURL(/sort=title/)
      const { 'fields[posts]': columns, ...asked } = Object.fromEntries(new URL(page.url()).searchParams)
      expect(asked).toEqual({ sort: 'title', 'filter[title][contains]': '1', 'page[size]': '3' })
      expect(columns?.split(',')).toEqual(expect.arrayContaining(['title', 'author', 'tags']))
      expect(await page.locator('tbody tr').count()).toBe(3)
      expect(await page.locator('tbody td a[href$="/tags"]').first().textContent()).toMatch(/^\d+$/)
      const titles = await page.locator('tbody tr th a').allTextContents()
      expect([...titles].sort()).toEqual(titles)
      await page.getByRole('link', { name: 'Next' }).click()
      expect(new URL(page.url()).searchParams.get('page[number]')).toBe('2')
      expect(new URL(page.url()).searchParams.get('fields[posts]')).toBe(columns)
    })

    test('takes a filter out by a click, and joins another one by or', async () => {
      await page.goto(api.url('/posts?filter[title][contains]=5&filter[author]=3'))
      await page.getByRole('link', { name: 'Author is user 3' }).click()
      await page.waitForURL(/posts\?filter\[title\]\[contains\]=5$/)
      await chooseField(page, 'author')
      await page.getByLabel('Joined').selectOption('or')
      await page.getByLabel('Value').fill('4')
      await page.getByRole('button', { name: 'Apply', exact: true }).click()
      expect(await page.getByRole('navigation', { name: 'Active filters' }).textContent()).toBe(
        'Title contains 5orAuthor is user 4 Clear all',
      )
    })

    test('needs no script for that', async () => {
      const plain = await start({ javaScriptEnabled: false })
      await plain.goto(api.url('/posts'))
      await plain.locator('details.controls > summary').click()
      await plain.getByRole('group', { name: 'Columns' }).getByRole('checkbox', { name: 'Tags' }).check()
      await plain.getByRole('button', { name: 'Apply', exact: true }).click()
      expect(new URL(plain.url()).searchParams.get('fields[posts]')).toMatch(/,tags$/)
      expect(await plain.locator('tbody td a[href$="/tags"]').first().textContent()).toMatch(/^\d+$/)
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
      await page.getByRole('link', { name: 'New post' }).click()
      const form = write(page, 'create')
      await form.getByLabel('slug').fill('Not A Slug')
      await form.getByLabel('content').fill('What it says.\nAnd more.')
      await form.getByRole('button').click()
      const error = form.locator('#create-slug-error')
      await error.waitFor({ state: 'visible' })
      expect(await form.locator('[role="alert"]').textContent()).toBe('Not saved: 2 fields need your attention.')
      expect(await form.locator('#create-title-error').textContent()).toBe('The title field is required.')
      expect(await form.getByLabel('slug').getAttribute('aria-invalid')).toBe('true')
      expect(await page.evaluate('document.activeElement.id')).toBe('create-title')
      expect(await form.locator('#create-content-error').isVisible()).toBe(false)
      await form.getByLabel('title').fill('Made by hand')
      await form.getByLabel('slug').fill('made-by-hand')
      await form.getByText('More', { exact: true }).click()
      await form.getByLabel('Published at').fill('2020-01-02T03:04')
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
      await page.locator('#edit').click()
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
      await page.locator('#edit').click()
      await form.getByLabel('title').fill('Saved from the content')
      await form.getByRole('button').click()
      await page.locator('dd', { hasText: 'Saved from the content' }).waitFor()
    })

    test('is told that somebody else was faster, and overwrites nothing', async () => {
      await page.reload()
      const form = write(page, 'update')
      await page.locator('#edit').click()
      await form.getByLabel('title').fill('Too late')
      const [id] = /\d+$/.exec(new URL(page.url()).pathname) as RegExpExecArray
      const other = { data: { type: 'posts', id, attributes: { title: 'Sooner' } } }
      expect((await api.as(users.member3).patch(`/posts/${id}`, { body: other })).status).toBe(200)
      await form.getByRole('button').click()
      const alert = form.locator('[role="alert"]')
      await alert.waitFor({ state: 'visible' })
      expect(await alert.textContent()).toBe('It was changed since this page was made. Nothing is saved yet.')
      const stored = () => api.db.post.findUniqueOrThrow({ where: { id: Number(id) } })
      expect((await stored()).title).toBe('Sooner')
      const rows = form.locator('.conflict tbody tr')
      await rows.first().waitFor()
      expect(await rows.locator('th, td').allTextContents()).toEqual([
        ...['Title', 'Saved from the content', 'Sooner', 'Too late'],
      ])
      expect(await page.evaluate('document.activeElement.className')).toBe('conflict')
      expect(await findings(page)).toEqual([])
      const wide = page.viewportSize() as { width: number; height: number }
      await page.setViewportSize({ width: 360, height: 740 })
      const boxes = await Promise.all((await rows.locator('td').all()).map((cell) => cell.boundingBox()))
      expect(boxes.map((box) => box && box.x + box.width <= 360)).toEqual([true, true, true])
      expect(await rows.locator('td').evaluateAll((cells) => cells.map((cell) => cell.dataset.label))).toEqual([
        ...['When you began', 'Now', 'Yours'],
      ])
      await page.setViewportSize(wide)
      await form.getByRole('button', { name: 'Save mine' }).click()
      await page.locator('dd', { hasText: 'Too late' }).waitFor()
      expect((await stored()).title).toBe('Too late')
    })

    test('is asked before a form is left that was changed', async () => {
      const asks = () =>
        page.evaluate(
          "(() => { const e = new Event('beforeunload', { cancelable: true }); return !dispatchEvent(e) })()",
        )
      const form = write(page, 'update')
      await page.locator('#edit').click()
      expect([await asks(), await form.locator('.unsaved').isVisible()]).toEqual([false, false])
      const title = form.getByLabel('title')
      const before = await title.inputValue()
      await title.fill('Not sent')
      expect([await asks(), await form.locator('.unsaved').isVisible()]).toEqual([true, true])
      await title.fill(before)
      expect([await asks(), await form.locator('.unsaved').isVisible()]).toEqual([false, false])
    })

    test('changes its tags', async () => {
      await page.getByRole('link', { name: 'Cancel' }).click()
      await page.getByRole('link', { name: 'Related' }).click()
      await page
        .locator('.related', { has: page.getByRole('heading', { name: 'Tags' }) })
        .getByText('edit')
        .click()
      const tags = await api.db.tag.findMany({
        where: { name: { not: 'staff-pick' } },
        take: 3,
        orderBy: { id: 'asc' },
      })
      const [first, second, third] = tags.map(({ id }) => String(id)) as [string, string, string]
      const nameOf = (id: string) => tags.find((tag) => String(tag.id) === id)?.name
      const shown = () => page.locator('main .links-held a').allTextContents()
      const soon = { timeout: 10_000 }
      const change = async (id: string, ids: string) => {
        // What adds stands open.
        if (id !== 'attach') await write(page, id).locator('summary').click()
        await write(page, id).getByLabel('tags').fill(ids)
        const done = page.waitForResponse((response) => response.request().method() !== 'GET')
        await write(page, id).getByRole('button').click()
        await done
        await page.waitForLoadState()
      }
      await change('attach', `${first}, ${second}`)
      await expect.poll(shown, soon).toEqual([nameOf(first), nameOf(second)])
      await page.getByRole('button', { name: `Remove ${nameOf(first)}` }).click()
      await expect.poll(shown, soon).toEqual([nameOf(second)])
      await change('replace', `${first},${third}`)
      await expect.poll(async () => (await shown()).sort(), soon).toEqual([nameOf(first), nameOf(third)].sort())
    })

    test('deletes', async () => {
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').last().click()
      const own = page.url()
      await page.getByRole('link', { name: 'Delete', exact: true }).click()
      expect(await page.locator('h1').textContent()).toMatch(/^Delete .*\?$/)
      expect(await findings(page)).toEqual([])
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.waitForURL(api.url('/posts'))
      await page.goto(own)
      expect(await page.locator('h1').textContent()).toBe('Not found')
    })

    test('carries out an action, and names what a polymorphic relation leads to', async () => {
      const draft = await api.db.post.findFirstOrThrow({ where: { authorId: users.member3, publishedAt: null } })
      await page.goto(api.url(`/posts/${draft.id}`))
      await write(page, 'action-publish').locator('summary').click()
      await write(page, 'action-publish').getByRole('button').click()
      await page.getByText('Done: Publish').waitFor()
      expect(await page.locator('#action-publish').count()).toBe(0)
      expect((await api.db.post.findUniqueOrThrow({ where: { id: draft.id } })).publishedAt).toEqual(expect.any(Date))
      await page.goto(api.url('/comments?-new='))
      const form = write(page, 'create')
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

    test('ticks what is true', async () => {
      const video = await api.db.video.create({
        data: { title: 'To be featured', url: 'https://videos.example.com/ticked', ownerId: users.member3 },
      })
      await page.goto(api.url(`/videos/${video.id}`))
      const form = write(page, 'update')
      await page.locator('#edit').click()
      await form.getByRole('checkbox', { name: 'Featured' }).check()
      expect(await form.locator('.unsaved').isVisible()).toBe(true)
      const sent = page.waitForRequest((request) => request.method() === 'PATCH')
      await form.getByRole('button').click()
      expect((await sent).postDataJSON().data.attributes).toEqual({ featured: true })
      await page.locator('dd .mark.yes').waitFor()
    })

    test('signs out', async () => {
      await page.locator('.me > summary').click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.locator('details.sign > summary').waitFor()
      await page.locator('.me > summary').click()
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
      expect(
        await page.locator('main img, main script:not([src*="/-browse/assets/"]), a[href^="javascript"]').count(),
      ).toBe(0)
    }
  })

  describe('everybody', () => {
    test('changes light into dark, which is kept', async () => {
      const page = await start({ colorScheme: 'light' })
      const back = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(await back()).toBe('rgb(255, 255, 255)')
      await page.locator('.me > summary').click()
      await page.getByRole('button', { name: 'Light or dark' }).click()
      expect(await back()).toBe('rgb(18, 22, 28)')
      await page.reload()
      expect(await back()).toBe('rgb(18, 22, 28)')
    })

    test('has tables whose rows stand closer, without a script, until it chooses otherwise', async () => {
      const page = await start({ javaScriptEnabled: false })
      await page.goto(api.url('/posts?sort=title'))
      const height = async () => (await page.locator('tbody tr').first().boundingBox())?.height ?? 0
      const comfortable = await height()
      await page.locator('.me > summary').click()
      await page.getByRole('button', { name: 'Compact rows' }).click()
      await page.locator('[data-density]').waitFor()
      expect(page.url()).toBe(api.url('/posts?sort=title'))
      expect(await height()).toBeLessThan(comfortable * 0.8)
      await page.goto(api.url('/comments'))
      await page.locator('.me > summary').click()
      await page.getByRole('button', { name: 'Comfortable rows' }).click()
      await page.locator('html:not([data-density])').waitFor()
    })

    test('copies the request, and sees icons where something is done', async () => {
      const page = await start()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await browser.signIn(page, users.admin)
      await page.goto(api.url('/posts/1'))
      await page.getByRole('button', { name: 'For developers' }).click()
      await page.getByRole('button', { name: 'Copy' }).first().click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl -g .*\/posts\/1'$/)
      await page.keyboard.press('Tab')
      await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' })
      await page.evaluate("navigator.clipboard.writeText = async () => { throw new Error('Not allowed.') }")
      await page.getByRole('button', { name: 'Copy' }).first().click()
      await page.getByRole('button', { name: 'Your browser does not allow it' }).waitFor()
      await page.getByText('The request, for a program').click()
      await page.getByRole('button', { name: 'Copy' }).nth(1).click()
      await page.getByRole('button', { name: 'Your browser does not allow it' }).waitFor()
      const mask = (selector: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '::before').maskImage`)
      for (const selector of ['#delete', '#edit', 'a.new', '.copy'])
        expect([selector, await mask(selector)]).toEqual([selector, expect.stringMatching(/^url\("data:image\/svg/)])
      await page.goto(api.url('/posts?sort=title'))
      await page.locator('.me > summary').click()
      await page.getByRole('button', { name: 'Compact rows' }).click()
      await page.locator('[data-density]').waitFor()
      expect(await findings(page)).toEqual([])
    })
  })
})
