import { Schema } from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import { describe, expect, test } from 'vitest'
import { openServer, pathOf, type Query } from '../support/open-server.ts'
import { jsonapi } from '../support/row-documents.ts'
import { useServers } from '../support/servers.ts'

const cursors = class extends Schema<'Post'> {
  override maxPageSize = 100
  override pagination() {
    return new CursorProfilePagination().withDefaultPerPage(7)
  }
}

const whole = class extends Schema<'Post'> {
  override pagination() {
    return null
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  servers: [
    openServer('whole', { Post: whole, User: Schema, Profile: Schema, Tag: Schema }),
    openServer('cursors', { Post: cursors, User: Schema, Profile: Schema, Tag: Schema }),
  ],
}))

const get = (query: Query, path = '/posts') =>
  servers.as(null)(
    'GET',
    pathOf('whole', path, { ...(path === '/posts' && { 'fields[posts]': 'publishedAt' }), ...query }),
  )

interface Post {
  readonly id: string
  readonly attributes: { readonly publishedAt: string | null }
}

async function sorted(sort: string): Promise<readonly Post[]> {
  const { status, body } = await get({ sort })
  expect(status).toBe(200)
  return body.data
}

const timeOf = ({ attributes: { publishedAt } }: Post) => (publishedAt === null ? null : Date.parse(publishedAt))

/** What JavaScript makes of the same posts. */
function ordered(posts: readonly Post[], descending: boolean, nulls: 'first' | 'last'): readonly string[] {
  const rank = (post: Post) => ((timeOf(post) === null) === (nulls === 'first') ? 0 : 1)
  const byTime = (a: Post, b: Post) => ((timeOf(a) ?? 0) - (timeOf(b) ?? 0)) * (descending ? -1 : 1)
  const idOrder = (a: Post, b: Post) => (Number(a.id) - Number(b.id)) * (descending ? -1 : 1)
  return [...posts].sort((a, b) => rank(a) - rank(b) || byTime(a, b) || idOrder(a, b)).map(({ id }) => id)
}

describe('a client says where rows without a value stand', () => {
  test.each([
    ['publishedAt:nullsFirst', false, 'first'],
    ['publishedAt:nullsLast', false, 'last'],
    ['-publishedAt:nullsFirst', true, 'first'],
    ['-publishedAt:nullsLast', true, 'last'],
  ] as const)('sort=%s', async (sort, descending, nulls) => {
    const posts = await sorted('id')
    expect(posts.filter((post) => timeOf(post) === null).length).toBeGreaterThan(5)
    expect((await sorted(sort)).map(({ id }) => id)).toEqual(ordered(posts, descending, nulls))
  })

  test.each(['publishedAt:nullsFirst', 'publishedAt:nullsLast', '-publishedAt:nullsFirst', '-publishedAt:nullsLast'])(
    'page after page by cursors, sort=%s',
    async (sort) => {
      const all = (await sorted(sort)).map(({ id }) => id)
      const ids: string[] = []
      let url: string | null = pathOf('cursors', '/posts', { sort, 'fields[posts]': '', 'page[size]': 7 })
      let last = ''
      let pages = 0
      while (url) {
        const { status, body } = await servers.as(null)('GET', url)
        expect(status).toBe(200)
        ids.push(...body.data.map(({ id }: { id: string }) => id))
        last = url
        pages++
        url = body.links.next && pathIn(body.links.next)
      }
      expect(ids).toEqual(all)
      expect(pages).toBe(9)
      const back: string[] = []
      url = last
      while (url) {
        const { body } = await servers.as(null)('GET', url)
        back.unshift(...body.data.map(({ id }: { id: string }) => id))
        url = body.links.prev && pathIn(body.links.prev)
      }
      expect(back).toEqual(all)
    },
  )

  test('beside other fields, and behind a relation', async () => {
    const { status, body } = await get({ sort: '-profile.bio:nullsLast,name', 'fields[users]': 'name' }, '/users')
    expect(status).toBe(200)
    expect(body.data).toHaveLength(10)
  })

  test('links keep it', async () => {
    const { body } = await servers.as(null)(
      'GET',
      pathOf('cursors', '/posts', { sort: '-publishedAt:nullsLast', 'page[size]': 7 }),
    )
    expect(new URL(body.links.next, 'http://localhost').searchParams.get('sort')).toBe('-publishedAt:nullsLast')
  })

  test.each([
    ['title:nullsLast', 'Sort parameter title:nullsLast is not allowed.'],
    ['id:nullsLast', 'Sort parameter id:nullsLast is not allowed.'],
    ['publishedAt:nulls', 'Sort parameter publishedAt:nulls is not allowed.'],
    ['publishedAt:', 'Sort parameter publishedAt: is not allowed.'],
    ['publishedAt:nullsLast:nullsLast', 'Sort parameter publishedAt:nullsLast:nullsLast is not allowed.'],
    [':nullsLast', 'Sort parameter :nullsLast is not allowed.'],
    ['publishedAt,-publishedAt:nullsLast', 'Sort parameter publishedAt is repeated.'],
  ])('sort=%s is 400', async (sort, detail) => {
    expect(await get({ sort })).toMatchObject({
      status: 400,
      body: {
        jsonapi,
        errors: [{ status: '400', title: 'Invalid Query Parameter', detail, source: { parameter: 'sort' } }],
      },
    })
  })
})

const pathIn = (url: string): string => {
  const { pathname, search } = new URL(url, 'http://localhost')
  return pathname + search
}
