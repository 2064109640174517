import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { useApi, users } from '../../support/api.ts'
import { browserAccept, browserOf } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// A collection as a table.

const api = useApi()
const browser = browserOf(api)
const pageOf = async (path: string) => (await browser.send(path)).text

test('the head of a column sorts by it, and the other way round where it does so already', async () => {
  const search = 'filter[id][lt]=50&page[size]=5'
  const asked = `/api/v1/posts?${search.replaceAll('&', '&amp;')}`
  const text = await pageOf(`/posts?${search}&page[number]=2`)
  expect(text).toContain(`<th scope="col"><a href="${asked}&amp;sort=publishedAt" title="Sort by Published at">`)
  const sorted = await pageOf(`/posts?${search}&sort=publishedAt`)
  expect(sorted).toContain(`<th scope="col" aria-sort="ascending"><a href="${asked}&amp;sort=-publishedAt"`)
  expect(await pageOf(`/posts?${search}&sort=-publishedAt`)).toContain('aria-sort="descending"')
  expect(text).toContain('<th scope="col">Author</th>')
})

test('values are shown by their kind', async () => {
  const text = await pageOf(
    '/videos?page[number]=1&page[size]=10&fields[videos]=title,url,durationSeconds,featured,createdAt',
  )
  expect(text).toContain(
    '<th scope="col" class="n"><a href="/api/v1/videos?page[size]=10&amp;fields[videos]=title,url,durationSeconds,featured,createdAt&amp;sort=durationSeconds"',
  )
  expect(text).toContain('<td class="n">210</td>')
  expect(text).toContain('<td class="n"><span class="none" title="none">–</span></td>')
  expect(text).toContain('<td data-label="Featured"><span class="mark yes">yes</span></td>')
  expect(text).toContain('<time datetime="2024-02-01T00:10:00.000Z">2024-02-01 00:10</time>')
  expect(text).toContain('rel="noreferrer noopener">videos.example.com/10</a>')
})

test('cards of a phone have the same fields, whatever is empty: two values, and a time', async () => {
  const text = await pageOf('/posts?fields[posts]=title,synopsis,slug,publishedAt,updatedAt,author&page[size]=20')
  const rows = [...text.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/data-label="([^"]*)"/g)].map(([, label]) => label),
  )
  expect(text).toContain('<td data-label="Synopsis"><span class="none"')
  expect(rows).toEqual(Array(20).fill(['Slug', 'Synopsis', 'Updated at']))
})

test('columns are those of the fields that are asked for', async () => {
  const text = await pageOf('/posts?fields[posts]=publishedAt,author')
  const heads = [...text.matchAll(/<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]+)/g)].map(([, title]) => title)
  expect(heads).toEqual(['Title', 'Published at', 'Author'])
})

test('a page says which part of the collection it is', async () => {
  expect(await pageOf('/posts?page[number]=2&page[size]=5')).toMatch(/<span>6–10 of \d+<\/span>/)
})

test('a page counts what its pages do not count, where that is cheap', async () => {
  const rangeAt = async (path: string) => /<nav class="pages"[^>]*><span>([^<]*)</.exec(await pageOf(path))?.[1]
  const [videos, comments] = [await api.db.video.count(), await api.db.comment.count()]
  expect(await rangeAt('/videos?page[number]=1&page[size]=3')).toBe(`1–3 of ${videos}`)
  expect(await rangeAt('/videos?page[number]=1&page[size]=50')).toBe(`1–${videos} of ${videos}`)
  expect(await rangeAt('/comments?page[limit]=5')).toBe(`${comments} in all`)
  const some = await api.db.comment.count({ where: { authorId: users.member3 } })
  expect(await rangeAt(`/comments?filter[author]=${users.member3}&page[limit]=5`)).toBe(`${some} in all`)
})

describe('of a table with a million rows', () => {
  const large = useServers(async () => ({
    ...(await exampleWith(V1)),
    production: false,
    rows: { Comment: 1_000_000 },
  }))

  test('it counts nothing', async () => {
    const headers = { Accept: browserAccept }
    const text = await (await fetch(`${large.at}/api/v1/comments?page[limit]=5`, { headers })).text()
    expect(text).toContain('rel="next"')
    expect(text).not.toContain('in all')
  })
})

test('a page links to no page that it is itself', async () => {
  const linked = async (path: string) =>
    [...(await pageOf(path)).matchAll(/<a href="[^"]*" rel="(\w+)">/g)].map(([, name]) => name)
  expect(await linked('/posts?page[number]=1&page[size]=5')).toEqual(['next', 'last'])
  expect(await linked('/posts?page[number]=2&page[size]=5')).toEqual(['first', 'prev', 'next', 'last'])
  expect(await linked('/posts?filter[id]=1&page[number]=1&page[size]=5')).toEqual([])
})

describe('a collection without resources', () => {
  test('says so, and how to see them where a filter leaves them out', async () => {
    expect(await pageOf('/posts?filter[title]=none-of-them')).toContain(
      '<p class="empty">Nothing matches. <a href="/api/v1/posts">Show all</a></p>',
    )
    const { id } = await addPost(api.db)
    expect(await pageOf(`/posts/${id}/comments`)).toContain('<p class="empty">There is nothing here.</p>')
  })
})

test('a page of 50 rows, with what it needs to be painted, is smaller than 64 kB where it is not compressed', async () => {
  const wide = await browser.send('/posts?page[number]=1&page[size]=50')
  expect(wide.text.match(/<th scope="row">/g)?.length).toBeGreaterThan(40)
  const { cookie } = await browser.signIn(users.admin, '/api/v2')
  const picked = await browser.send('/api/v2/posts?page[size]=50', { headers: { Cookie: cookie } })
  const boxes = picked.text.match(/<input type="checkbox" form="many" [^>]*>/g) ?? []
  expect(boxes).toHaveLength(50)
  expect(boxes.join('').length).toBeLessThan(5000)
  const assets = [...wide.text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]*\.(?:css|js)\?[^"]*)"/g)].map(
    ([, href]) => href as string,
  )
  const headers = { 'Accept-Encoding': 'gzip' }
  const lengths = await Promise.all(
    assets.map(async (href) => Number((await browser.send(href, { headers })).headers.get('Content-Length'))),
  )
  expect(lengths.every((length) => length > 900)).toBe(true)
  expect(lengths.reduce((sum, each) => sum + each, Buffer.byteLength(wide.text))).toBeLessThan(64_000)
})

test('a long document is shown to who asks for it, by a link that the API never sees', async () => {
  const text = await pageOf('/posts?page[number]=1&page[size]=10')
  const [, href = ''] = /href="([^"]*-show=document)#developer"/.exec(text) ?? []
  expect(text).not.toContain('&quot;jsonapi&quot;')
  const whole = await browser.send(href.replaceAll('&amp;', '&'))
  expect(whole.status).toBe(200)
  expect(whole.text).toContain('<details open><summary>The document</summary>')
  expect(whole.text).toContain('&quot;jsonapi&quot;')
  expect(whole.text).not.toContain('posts?page[number]=1&amp;page[size]=10&amp;-show=document&#39;')
  expect((await api.guest.get('/posts?-show=document')).status).toBe(400)
})
