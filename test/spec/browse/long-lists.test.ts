import { createHash } from 'node:crypto'
import { createApiOf } from '@prismapi/core/api/create-api'
import { pages } from '@prismapi/pages/serving/browser-routes'
import Koa from 'koa'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { origin, useApi, users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { browserAccept, browserOf, formIn } from '../../support/pages.ts'
import { listen, theExample } from '../../support/servers.ts'

// Lists whose question is too long for a URL: their pages have a URL that browsers and proxies take.

const api = useApi()
const browser = browserOf(api)

async function as(userId: number, base = '/api/v1') {
  const { cookie } = await browser.signIn(userId, base)
  return (path: string, headers: Readonly<Record<string, string>> = {}) =>
    browser.send(path, { headers: { Cookie: cookie, ...headers } })
}

const titles = (n: number) => Array.from({ length: n }, (_, i) => `Some title ${i}`)
const question = (n = 300) => `filter[title][in]=${encodeURI(titles(n).join())},${encodeURI('One that is there')}`
const below = (location: string | null) => location?.replace(/^\/api\/v1/, '') ?? ''
const wayOf = ({ status, headers }: { status: number; headers: Headers }) => [status, below(headers.get('Location'))]
const sealed = /^\/posts\?query=[\w-]{500,}$/
const plain = (href: string | undefined) => below(href?.replaceAll('&amp;', '&') ?? null)
const linkIn = (text: string, words: string) =>
  plain(new RegExp(`<a(?: class="chip")? href="([^"]*)"[^>]*>${words}</a>`).exec(text)?.[1])

/** Opens a long list as a browser does: the page, and where it lies. */
async function openedBy(send: Awaited<ReturnType<typeof as>>, query: string) {
  const [status, location = ''] = wayOf(await send(`/posts?${query}`))
  expect([status, location]).toEqual([303, expect.stringMatching(sealed)])
  const page = await send(String(location))
  expect(page.status).toBe(200)
  return { ...page, location: String(location) }
}

describe('a list whose URL would be longer than 4,000 characters', () => {
  test('has one that holds the question, sealed, and shows what was asked', async () => {
    const post = await api.make.post.create({ title: 'One that is there' })
    const send = await as(users.admin)
    const { text, location } = await openedBy(send, `${question()}&sort=title`)
    expect(location.length).toBeLessThan(4000)
    expect(text).toContain(`/api/v1/posts/${post.id}"`)
    expect(text).toContain('Title is one of Some title 0')
    expect(text).toMatch(/<a [^>]*href="[^"]*"[^>]*title="Take it out"|class="chip"/)
    expect(wayOf(await send(`/posts/?${question()}&sort=title`))).toEqual([303, location])
    // The same question has the same URL: it can be kept, and reloaded.
    expect((await openedBy(send, `${question()}&sort=title`)).location).toBe(location)
  })

  test('has links that are short, too, and lead on', async () => {
    await api.make.post.create({ title: 'One that is there' })
    await api.make.post.create({ title: 'One that is there' })
    const send = await as(users.admin)
    const { text } = await openedBy(send, `${question()}&page[size]=1`)
    const hrefs = [...text.matchAll(/(?: href| data-stream|name="back" value)="([^"]*)"/g)].map(
      ([, href]) => href as string,
    )
    expect(Math.max(...hrefs.map(({ length }) => length))).toBeLessThan(4000)
    const sorted = await send(linkIn(text, 'Title'))
    expect([sorted.status, formIn(sorted.text, 'view').fields['-sort']]).toEqual([200, 'title'])
    const next = await send(linkIn(text, 'Next'))
    expect([next.status, next.text]).toEqual([200, expect.stringContaining('rel="prev"')])
    const without = await send(linkIn(text, 'Title is one of .*?'))
    expect([without.status, without.text]).toEqual([200, expect.not.stringContaining('class="chip"')])
  })

  test('is had as a file, with all of its rows', async () => {
    const post = await api.make.post.create({ title: 'One that is there' })
    const send = await as(users.admin)
    const { text } = await openedBy(send, `${question()}&fields[posts]=title&page[size]=1`)
    const href = linkIn(text, 'Download as CSV')
    expect(href).toMatch(/^\/posts\?query=[\w-]+&-as=text%2Fcsv$/)
    const file = await send(href)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')])
    expect(file.text).toContain(`${post.id},One that is there\r\n`)
  })

  test('is where a form leads, which keeps the filters that are there', async () => {
    const send = await as(users.admin)
    const { text } = await openedBy(send, question())
    const [, form = ''] = /<form class="filter"[^>]*>(.*?)<\/form>/s.exec(text) ?? []
    const kept = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    const fields = kept.map(([, name = '', value = '']): [string, string] => [name, value])
    const sent = [...fields, ['-field', 'title'], ['-kind', 'text'], ['-operator', 'endsWith'], ['-value', 'there']]
    const answer = await send(`/posts?${new URLSearchParams([['-form', '1'], ...sent] as [string, string][])}`)
    expect(wayOf(answer)).toEqual([303, expect.stringMatching(sealed)])
    const { text: narrowed } = await send(String(wayOf(answer)[1]))
    expect(narrowed.match(/class="chip"/g)).toHaveLength(2)
  })

  test('is saved as a view, and is known by its tab', async () => {
    const send = await as(users.admin)
    const { text } = await openedBy(send, question())
    const query = /<form class="named".*?name="query" value="([^"]*)"/s.exec(text)?.[1] ?? ''
    const saved = await browser.submit('/api/v1/-browse/views', { type: 'posts', name: 'Long', query })
    expect(wayOf(saved)).toEqual([303, expect.stringMatching(sealed)])
    const [views = ''] = (saved.headers.get('Set-Cookie') ?? '').split(';')
    const { text: again } = await browser.send(`/api/v1${wayOf(saved)[1]}`, { headers: { Cookie: views } })
    expect(again).toMatch(/<a href="[^"]*query=[^"]*" aria-current="page">Long<\/a>/)
  })

  test('keeps its long URL where the seal would not fit either', async () => {
    const send = await as(users.admin)
    // Nothing of it can be compressed.
    const values = Array.from({ length: 93 }, (_, i) => createHash('sha512').update(`${i}`).digest('base64url')).join()
    const { status, text } = await send(`/posts?filter[title][in]=${values}`)
    expect([status, text]).toEqual([200, expect.stringContaining('class="chip"')])
  })

  test('has the whole question in links, where the seal of another page would not fit', async () => {
    await api.make.post.create({})
    await api.make.post.create({})
    const send = await as(users.admin)
    const values = Array.from({ length: 93 }, (_, i) => createHash('sha512').update(`${i}`).digest('base64url')).join()
    const asking = (length: number) => `filter[title][notIn]=${values.slice(0, length)}&page[size]=1`
    let [fits, tooLong] = [6000, 8000]
    while (tooLong - fits > 1) {
      const length = Math.floor((fits + tooLong) / 2)
      const { status } = await send(`/posts?${asking(length)}`)
      if (status === 303) fits = length
      else tooLong = length
    }
    const { text } = await openedBy(send, asking(fits))
    const next = await send(linkIn(text, 'Next'))
    expect([next.status, next.text]).toEqual([200, expect.stringContaining('class="chip"')])
  })

  test('that nobody sealed so is a page, which says why', async () => {
    const { status, text } = await (await as(users.admin))('/posts?query=nothing')
    expect([status, text]).toEqual([400, expect.stringContaining('must be one that a link to this URL has')])
  })

  test('is no matter of clients: they have what they asked for', async () => {
    const { status } = await browser.send(`/posts?${question()}`, { headers: { Accept: 'application/vnd.api+json' } })
    expect(status).toBe(200)
  })
})

test('a server without QUERY keeps the long URL, and so do its links', async () => {
  const database = await openTestDatabase()
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const parts = { ...(await theExample()), resources, clients: database, baseUrl: origin, logger, production: false }
  const { at, close } = await listen(
    new Koa().use(createApiOf({ ...parts, features: [pages] }).middleware()).callback(),
  )
  try {
    const response = await fetch(`${at}/api/v1/posts?${question()}`, {
      redirect: 'manual',
      headers: { Accept: browserAccept },
    })
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/href="[^"]{4000,}"/)])
  } finally {
    await close()
    await database.close()
  }
})

describe('a download', () => {
  const base = '/api/v2'
  const all = (text: string) =>
    [...text.matchAll(/<a href="([^"]*)" download>/g)].map(([, href]) => href?.replaceAll('&amp;', '&') ?? '')

  test('is offered at related lists and groups, but at nothing that is no list', async () => {
    const { id, authorId } = await api.make.post.create({})
    const send = await as(users.admin, base)
    const lists = {
      [`${base}/posts/${id}/comments`]: '',
      [`${base}/posts/-stats?groupBy=author`]: 'groupBy=author&',
    }
    for (const [path, query] of Object.entries(lists)) {
      const { status, text } = await send(path)
      const href = (type: string) => `${path.split('?')[0]}?${query}-as=${type}`
      expect([status, all(text)], path).toEqual([200, [href('text/csv'), href('application/x-ndjson')]])
      const answer = await send(href('text/csv'))
      const type = answer.headers.get('content-type')
      expect([answer.status, type], path).toEqual([200, expect.stringContaining('text/csv')])
    }
    for (const path of [`/posts/${id}/author`, `/users/${authorId}`, `/posts/${id}/relationships/comments`])
      expect(all((await send(base + path)).text), path).toEqual([])
  })

  test('is without all that only documents have', async () => {
    const send = await as(users.admin, base)
    const query = 'include=comments&withStats[*]=count&page[size]=1&sort=title'
    const { status, text } = await send(`${base}/videos?${query}`)
    expect(status, text).toBe(200)
    expect(all(text)[0]).toBe(`${base}/videos?sort=title&-as=text/csv`)
    const { text: groups } = await send(`${base}/videos/-stats?groupBy=featured&withStats[rating]=avg`)
    const file = all(groups)[0] ?? ''
    expect(file).toBe(`${base}/videos/-stats?groupBy=featured&withStats[rating]=avg&-as=text/csv`)
    expect((await send(file)).status).toBe(200)
  })
})
