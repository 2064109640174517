import type { Page, Request } from 'playwright-core'
import { Schema } from 'prismapi'
import type { ServerParts } from 'prismapi/types'
import { beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import V2 from '../../src/app/v2/server.ts'
import { authSecret, useApi, users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'
import { executable, findings, useBrowser } from './chromium.ts'

// A collection that is open in a browser updates itself: docs/live.md.

const api = useApi({ baseUrl: 'http://127.0.0.1' })

describe.skipIf(!executable)('the page of a collection on a server with streams', () => {
  const browser = useBrowser(api)
  const open = async (path: string, options = {}): Promise<Page> => {
    const page = await browser.open(options)
    await page.goto(api.url(path))
    return page
  }
  /** Resolved once the page follows its stream, and has been read again behind the snapshot. */
  const opened = async (page: Page, path: string) => {
    const again = page.waitForResponse(
      (response) =>
        response.request().resourceType() === 'fetch' && response.headers()['content-type']?.includes('html') === true,
    )
    await page.goto(api.url(path))
    await again
  }
  const row = (page: Page, text: string) => page.locator('tbody tr', { hasText: text })
  const rename = (id: number, title: string) => api.db.post.update({ where: { id }, data: { title } })
  let own: { readonly id: number }[]
  let path: string
  let reader: Page

  beforeAll(async () => {
    const rows = []
    for (const title of ['Ada', 'Bob', 'Cid']) {
      const { id } = await addPost(api.db)
      rows.push(
        await api.db.post.update({ where: { id }, data: { title, authorId: users.member3, publishedAt: null } }),
      )
    }
    own = rows
    path = `/api/v2/posts?filter[id][gte]=${own[0]?.id}&sort=id`
    reader = await open('/api/v2')
    await browser.signIn(reader, users.member3)
    await opened(reader, path)
  })

  test('shows and marks what another page changes, to who may see it, and keeps focus and selection', async () => {
    await row(reader, 'Bob').locator('th a').focus()
    await reader.evaluate(`getSelection().selectAllChildren(document.querySelector('tbody tr:nth-child(3) th a'))`)
    const writer = await open('/api/v2')
    await browser.signIn(writer, users.member3)
    await writer.goto(api.url(`/api/v2/posts/${own[0]?.id}`))
    const form = writer.locator('#update')
    await writer.locator('#edit').click()
    await form.getByLabel('title').fill('Ada is another')
    await form.getByRole('button').click()
    await reader.locator('tr.changed', { hasText: 'Ada is another' }).waitFor()
    expect(await reader.locator('tr.changed').count()).toBe(1)
    expect(await reader.evaluate(`getComputedStyle(document.querySelector('tr.changed th')).animationName`)).toBe(
      'changed',
    )
    expect(await reader.getByRole('status').textContent()).toBe('1 change')
    expect(await reader.evaluate('document.activeElement.textContent')).toBe('Bob')
    expect(await reader.evaluate('String(getSelection())')).toBe('Cid')
    expect(await findings(reader)).toEqual([])
  })

  test('keeps the focus of a link whose text changes', async () => {
    await rename(own[1]?.id as number, 'Bob is another')
    await row(reader, 'Bob is another').waitFor()
    expect(await reader.evaluate('document.activeElement.textContent')).toBe('Bob is another')
  })

  test('marks the changed row alone, where an extension of the browser has added attributes', async () => {
    await expect.poll(() => reader.locator('tr.changed').count()).toBe(0)
    await reader.evaluate(
      "for (const each of document.querySelectorAll('tbody, tbody *')) each.setAttribute('data-extension', 'on')",
    )
    await rename(own[2]?.id as number, 'Cid by another hand')
    await reader.locator('tr.changed', { hasText: 'Cid by another hand' }).waitFor()
    expect(await reader.locator('tr.changed').count()).toBe(1)
    expect(await reader.getByRole('status').textContent()).toBe('1 change')
  })

  test('shows texts with line ends that are none of the format of events', async () => {
    for (const title of ['Bob\u2028and U+2028', 'Bob\u2029and U+2029', 'Bob is another']) {
      await rename(own[1]?.id as number, title)
      await row(reader, title.slice(4)).waitFor()
    }
  })

  test('shows what comes, and marks what was removed', async () => {
    const { id } = await addPost(api.db)
    await rename(id, 'Dot')
    await reader.locator('tr.changed', { hasText: 'Dot' }).waitFor()
    await api.db.post.delete({ where: { id } })
    await reader.locator('tr.gone', { hasText: 'removed' }).waitFor()
    expect(await row(reader, 'Dot').getAttribute('class')).toBe('gone')
    expect(await findings(reader)).toEqual([])
    await row(reader, 'Dot').waitFor({ state: 'detached' })
  })

  test('follows a list whose question is too long for a URL', async () => {
    const page = await open('/api/v2')
    const { id } = await addPost(api.db)
    const others = Array.from({ length: 450 }, (_, i) => 100_000_000 + i)
    await opened(page, `/api/v2/posts?filter[id][in]=${[id, ...others].join()}`)
    expect(new URL(page.url()).search).toMatch(/^\?query=[\w-]+$/)
    await rename(id, 'Dan follows')
    await page.locator('tr.changed', { hasText: 'Dan follows' }).waitFor()
    await page.close()
  })

  test('says of no row that it was removed which is on another page now', async () => {
    const page = await open('/api/v2')
    const { id } = await addPost(api.db)
    await opened(page, `/api/v2/posts?filter[id][gte]=${id}&sort=-id&page[size]=1`)
    const first = await page.locator('tbody th a').textContent()
    const second = await addPost(api.db)
    await page.locator(`tr.changed a[href$="/${second.id}"]`).first().waitFor()
    expect(await page.locator('tbody th a').allTextContents()).not.toContain(first)
    expect(await page.getByRole('status').textContent()).toBe('1 change')
    await api.db.post.delete({ where: { id: second.id } })
    await page.locator('tr:not(.gone):not(.changed) th a', { hasText: String(first) }).waitFor()
    expect(await page.locator('tr.gone').count()).toBe(1)
  })

  test('shows what comes where there was nothing, and says when there is nothing left', async () => {
    const page = await open('/api/v2')
    await opened(page, `/api/v2/tags?filter[name]=first-of-all`)
    const tag = await api.db.tag.create({ data: { name: 'first-of-all' } })
    await page.locator('tr.changed', { hasText: 'first-of-all' }).waitFor()
    await api.db.tag.delete({ where: { id: tag.id } })
    await page.getByText('Nothing matches.').waitFor()
  })

  test('marks without motion for who wants none', async () => {
    const still = await open('/api/v2', { reducedMotion: 'reduce' })
    await opened(still, '/api/v2/tags?sort=id')
    const tag = await api.db.tag.findFirstOrThrow({ orderBy: { id: 'asc' } })
    await api.db.tag.update({ where: { id: tag.id }, data: { name: 'moves-not' } })
    await still.locator('tr.changed', { hasText: 'moves-not' }).waitFor()
    expect(await still.evaluate(`getComputedStyle(document.querySelector('tr.changed th')).animationName`)).toBe('none')
  })

  test('ends its stream while it is hidden, and then goes on', async () => {
    const show = (state: string) =>
      reader.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    const closed = reader.waitForEvent('requestfailed')
    await show('hidden')
    expect((await closed).headers().accept).toBe('text/event-stream')
    await rename(own[2]?.id as number, 'Cid meanwhile')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await row(reader, 'Cid meanwhile').count()).toBe(0)
    const resumed = reader.waitForRequest((request) => request.headers().accept === 'text/event-stream')
    await show('visible')
    expect((await resumed).headers()['last-event-id']).toEqual(expect.any(String))
    await reader.locator('tr.changed', { hasText: 'Cid meanwhile' }).waitFor()
  })

  test('stays as it is where its stream is refused', async () => {
    const page = await browser.open()
    let count = 0
    await page.route(
      (url) => url.pathname === '/api/v2/tags',
      (route) => {
        if (route.request().headers().accept !== 'text/event-stream') return route.continue()
        count++
        return route.fulfill({ status: 403, body: '{}' })
      },
    )
    await page.goto(api.url('/api/v2/tags'))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(count).toBe(1)
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(0)
    expect(await page.getByRole('status').textContent()).toBe('')
  })
})

describe.skipIf(!executable)('what its reader has done on a page that updates itself', () => {
  class Live extends V2 {
    override readonly browsable = true
  }
  class FoldedTag extends Schema<'Tag'> {
    override fields() {
      return [this.attribute('about').computed(['name'], ({ name }) => ({ name, more: 'and more '.repeat(10) }))]
    }
  }
  const servers = useServers(async () => {
    const [own] = (await exampleWith(Live)).servers as readonly ServerParts[]
    return exampleWith(Live, { schemas: new Map([...(own?.schemas ?? []), ['Tag', FoldedTag]]) })
  })
  const url = (path: string) => servers.at + path
  const authorization = async (id: number) => `Bearer ${await signToken(id, authSecret)}`
  const browser = useBrowser({ url, authorization })

  /** A page that is read again, as it is once it follows its stream, only after its reader has done something. */
  async function openedAfter(path: string, options: object, act: (page: Page) => Promise<void>): Promise<Page> {
    const page = await browser.at('/api/v2', users.admin, options)
    let done = () => {}
    const acted = new Promise<void>((resolve) => {
      done = resolve
    })
    const isAgain = (request: Request) => request.resourceType() === 'fetch' && request.headers().accept === 'text/html'
    await page.route(
      (to) => to.pathname === new URL(url(path)).pathname,
      async (route) => {
        if (isAgain(route.request())) await acted
        await route.continue()
      },
    )
    await page.goto(url(path))
    await act(page)
    const again = page.waitForResponse((response) => isAgain(response.request()))
    done()
    await (await again).finished()
    // For what the script does with it.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))')
    return page
  }
  const marked = async (page: Page) => [
    await page.locator('tr.changed').count(),
    await page.getByRole('status').last().textContent(),
  ]

  test.each(['/posts', '/videos?include=owner', '/comments', '/posts?include=tags,author', '/tags'])(
    'is no change, nor is the zone of the reader, where nothing has changed: %s',
    async (path) => {
      const page = await openedAfter(
        `/api/v2${path}`,
        { timezoneId: 'Asia/Tokyo', locale: 'de-DE' },
        async (opened) => {
          expect(await opened.locator('tbody tr').count()).toBeGreaterThan(1)
          await opened.locator('tbody input[type="checkbox"]').first().check()
        },
      )
      expect(await marked(page)).toEqual([0, ''])
      expect(await page.locator('tbody input[type="checkbox"]').first().isChecked()).toBe(true)
      // A reader has few streams.
      await page.context().close()
    },
  )

  test('stays: what was opened, and what was ticked, in a row that others change, too', async () => {
    const [first, second] = [
      await servers.db.tag.create({ data: { name: 'opened first' } }),
      await servers.db.tag.create({ data: { name: 'opened second' } }),
    ]
    const path = '/api/v2/tags?filter[name][contains]=opened&sort=id&fields[tags]=name,about'
    const page = await openedAfter(path, {}, async (opened) => {
      for (const summary of await opened.locator('tbody details > summary').all()) await summary.click()
      await opened.locator('tbody input[type="checkbox"]').first().check()
    })
    const open = () => page.locator('tbody details[open]').count()
    expect([await marked(page), await open()]).toEqual([[0, ''], 2])
    await servers.db.tag.update({ where: { id: first.id }, data: { name: 'opened and changed' } })
    await page.locator('tr.changed', { hasText: 'opened and changed' }).first().waitFor()
    expect([await marked(page), await open()]).toEqual([[1, '1 change'], 2])
    expect(await page.locator('tbody input[type="checkbox"]').first().isChecked()).toBe(true)
    await servers.db.tag.deleteMany({ where: { id: { in: [first.id, second.id] } } })
  })
})
