import { afterEach, describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { browserOf, tagOf } from '../../support/pages.ts'

// Pages of collections that update themselves.

const api = useApi()
const browser = browserOf(api)
const pageOf = async (path: string) => (await browser.send(path)).text
const partOf = async (path: string) => tagOf(await pageOf(path), 'div data-stream')

describe('a page says where its stream is', () => {
  test.each(['/api/v2/tags', '/api/v2/posts/1/tags', '/api/v2/tags?filter[name]=none-of-them'])(
    'of %s',
    async (path) => {
      const text = await pageOf(path)
      expect(tagOf(text, 'div data-stream')).toBe(`<div data-stream="${path}">`)
      expect(text).toMatch(/<script type="module" src="\/api\/v2\/-browse\/assets\/stream\.js\?[\w-]+">/)
    },
  )

  test('without what the page itself is asked for', async () => {
    expect(await partOf('/api/v2/tags?sort=name&-show=document')).toBe('<div data-stream="/api/v2/tags?sort=name">')
  })

  test.each([
    '/api/v1/tags',
    '/api/v1/posts/1/tags',
    '/api/v2',
    '/api/v2/tags/1',
    '/api/v2/posts/1/relationships/tags',
    '/api/v2/tags?sort=none',
  ])('and %s has none', async (path) => {
    expect(await pageOf(path)).not.toMatch(/data-stream|stream\.js/)
  })
})

describe('the stream of a page', () => {
  const streams: EventStream[] = []
  afterEach(async () => {
    for (const stream of streams.splice(0)) await stream.close()
  })
  const draft = () => api.db.post.findFirstOrThrow({ where: { authorId: users.member3, publishedAt: null } })
  const idsBy = async (headers: Record<string, string>) => {
    const { id } = await draft()
    const stream = await openEvents(api.url(`/api/v2/posts?filter[id]=${id}`), headers)
    streams.push(stream)
    if (stream.status !== 200) return stream.status
    const { data } = (await stream.next()).data
    return data.length
  }

  test('is of whom the page was made for, by its seal', async () => {
    const { cookie } = await browser.signIn(users.member3, '/api/v2')
    const { text } = await browser.send('/api/v2/tags', { headers: { Cookie: cookie } })
    const seal = /<body data-seal="([^"]+)"/.exec(text)?.[1] as string
    const sealed = { Cookie: cookie, 'Browse-Seal': seal }
    expect(await idsBy({ ...sealed, 'Sec-Fetch-Site': 'same-origin' })).toBe(1)
    expect(await idsBy({ ...sealed, 'Sec-Fetch-Site': 'same-site' })).toBe(0)
    expect(await idsBy({ ...sealed, 'Browse-Seal': 'another' })).toBe(0)
    expect(await idsBy({ Cookie: cookie })).toBe(0)
  })
})
