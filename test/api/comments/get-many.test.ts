import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, identifier, jsonapi } from '../../support/row-documents.ts'
import { seededComment, seededPost, seededUser, seededVideo, videoId } from '../../support/seeded.ts'

const api = useApi()

type Query = Readonly<Record<string, string | number>>
type Sides = Readonly<Record<string, Query>>

const limit = (size: number, query: Query = {}): Query => ({ ...query, 'page[limit]': size })

/** `comments` is what the page shows, newest first; `sides` are its links beside `self`. */
function pageOf(self: Query, comments: readonly { readonly id: string }[], more: { sides: Sides; hasMore: boolean }) {
  const links = Object.entries(more.sides).map(([name, query]) => [name, at('/comments', query)])
  const [from, to] = [comments[0]?.id ?? null, comments.at(-1)?.id ?? null]
  const perPage = self['page[limit]'] ?? 20
  return {
    jsonapi,
    links: { self: at('/comments', self), ...Object.fromEntries(links) },
    data: comments,
    meta: { page: { from, to, hasMore: more.hasMore, perPage } },
  }
}

const comments = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => seededComment(from - index))

describe('a guest lists comments', () => {
  test('without page parameters: the newest 20', async () => {
    const sides = { first: limit(20), next: limit(20, { 'page[after]': 181 }) }
    expectAnswer(await api.guest.get('/comments'), 200, pageOf({}, comments(200, 181), { sides, hasMore: true }))
  })

  test('with a limit: nothing precedes the first page', async () => {
    const sides = { first: limit(5), next: limit(5, { 'page[after]': 196 }) }
    const document = pageOf(limit(5), comments(200, 196), { sides, hasMore: true })
    expectAnswer(await api.guest.get('/comments?page[limit]=5'), 200, document)
  })

  test.each([
    ['after a comment: the older ones next to it', { 'page[after]': 196 }],
    ['before a comment: the newer ones next to it, in the normal order', { 'page[before]': 190 }],
  ])('%s', async (_, side: Query) => {
    const sides = {
      first: limit(5),
      prev: { 'page[before]': 195, 'page[limit]': 5 },
      next: limit(5, { 'page[after]': 191 }),
    }
    const document = pageOf(limit(5, side), comments(195, 191), { sides, hasMore: true })
    expectAnswer(await api.guest.get(at('/comments', limit(5, side)).replace(at(''), '')), 200, document)
  })

  test('before and after at once: only before counts', async () => {
    const self = limit(5, { 'page[after]': 20, 'page[before]': 195 })
    const sides = { first: limit(5), next: limit(5, { 'page[after]': 196 }) }
    const document = pageOf(self, comments(200, 196), { sides, hasMore: false })
    expectAnswer(await api.guest.get('/comments?page[after]=20&page[before]=195&page[limit]=5'), 200, document)
  })

  test('the last page: nothing follows it', async () => {
    const sides = { first: limit(5), prev: limit(5, { 'page[before]': 5 }) }
    const document = pageOf(limit(5, { 'page[after]': 6 }), comments(5, 1), { sides, hasMore: false })
    expectAnswer(await api.guest.get('/comments?page[after]=6&page[limit]=5'), 200, document)
  })

  test('beside a comment, without a limit: 20 of them', async () => {
    const { body } = await api.guest.get('/comments?page[after]=191')
    expect(body.meta).toEqual({ page: { from: '190', to: '171', hasMore: true, perPage: 20 } })
  })

  test.each([
    ['after the oldest', { 'page[after]': 1 }],
    ['before the newest', { 'page[before]': 200 }],
  ])('%s one: an empty page', async (_, side: Query) => {
    const document = pageOf(limit(5, side), [], { sides: { first: limit(5) }, hasMore: false })
    expectAnswer(await api.guest.get(at('/comments', limit(5, side)).replace(at(''), '')), 200, document)
  })

  test('with what they are about: one that is hidden is null', async () => {
    const shown = [
      seededComment(5, { commentable: identifier('videos', videoId(2)) }),
      seededComment(4, { commentable: identifier('posts', 7) }),
      seededComment(3, { commentable: null }),
    ]
    const query = limit(3, { include: 'commentable', 'page[after]': 6 })
    const sides = {
      first: limit(3, { include: 'commentable' }),
      prev: limit(3, { include: 'commentable', 'page[before]': 5 }),
      next: limit(3, { include: 'commentable', 'page[after]': 3 }),
    }
    const { included, ...document } = (await api.guest.get('/comments?include=commentable&page[after]=6&page[limit]=3'))
      .body
    expect(document).toEqual(pageOf(query, shown, { sides, hasMore: true }))
    expect(included).toHaveLength(2)
    expect(included).toEqual(expect.arrayContaining([seededVideo(2), seededPost(7)]))
  })

  test('of one author: the links keep the filter', async () => {
    const author = identifier('users', users.member5)
    const query = { 'filter[author]': users.member5, include: 'author' }
    const sides = { first: limit(2, query), next: { ...query, ...limit(2, { 'page[after]': 186 }) } }
    // Comment n is by member 3 + (n mod 8).
    const shown = [seededComment(194, { author }), seededComment(186, { author })]
    expectAnswer(await api.guest.get('/comments?filter[author]=5&include=author&page[limit]=2'), 200, {
      ...pageOf(limit(2, query), shown, { sides, hasMore: true }),
      included: [seededUser(users.member5)],
    })
  })

  test.each([
    ['sort=content', badParameter('sort', 'Sort parameter content is not allowed.')],
    ['sort=-createdAt', badParameter('sort', 'Sort parameter createdAt is not allowed.')],
    ['page[number]=1', badParameter('page[number]', 'Page parameter number is not allowed.')],
    ['page[limit]=0', badParameter('page[limit]')],
    ['page[limit]=ten', badParameter('page[limit]')],
    ['page[limit]=', badParameter('page[limit]')],
    ['page[limit]=1001', badParameter('page[limit]')],
    ['page[after]=', badParameter('page[after]')],
    ['page[after]=201', badParameter('page[after]')],
    ['page[before]=x', badParameter('page[before]')],
    ['include=post', badParameter('include', 'Include path post is not allowed.')],
    ['fields[comments]=postId', badParameter('fields[comments]', 'Sparse field set comments.postId is not allowed.')],
    ['filter[postId]=1', badParameter('filter[postId]', 'Filter parameter postId is not allowed.')],
    ['bogus=1', badParameter('bogus')],
  ])('with %s: 400 that names the parameter', async (query, error) => {
    expectErrors(await api.guest.get(`/comments?${query}`), error)
  })

  test('with several wrong parameters: 400 that names them all', async () => {
    const { status, body } = await api.guest.get('/comments?page[limit]=-1&include=video&sort=id')
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(3)
    expect(body.errors).toEqual(
      expect.arrayContaining([badParameter('page[limit]'), badParameter('include'), badParameter('sort')]),
    )
  })
})

describe('a walk', () => {
  test('meets comments of one moment once each, in both directions', async () => {
    const createdAt = new Date('2024-06-01')
    const ties = Array.from({ length: 7 }, (_, n) => ({ content: `Tie ${n}`, createdAt, authorId: 3, postId: 1 }))
    await api.db.comment.createMany({ data: ties })
    const all = await api.db.comment.findMany({ where: { createdAt }, orderBy: { id: 'desc' } })
    const ids = all.map(({ id }) => String(id))

    const [first] = await walk(`/posts/1/comments?page[limit]=3&page[before]=${ids[1]}`, 'next')
    expect(first).toEqual([ids[0]])
    const older = await walk('/posts/1/comments?page[limit]=3', 'next')
    expect(older.flat().slice(0, 7)).toEqual(ids)
    expect(new Set(older.flat()).size).toBe(older.flat().length)
    const newer = await walk(`/posts/1/comments?page[limit]=3&page[before]=${ids[6]}`, 'prev')
    expect(newer.reverse().flat()).toEqual(ids.slice(0, 6))
  })

  test('through a collection without comments: one empty page', async () => {
    await api.db.comment.deleteMany()
    const document = pageOf({}, [], { sides: { first: limit(20) }, hasMore: false })
    expectAnswer(await api.guest.get('/comments'), 200, document)
  })
})

/** The ids of a page and of those that its links lead to. */
async function walk(path: string, side: 'prev' | 'next'): Promise<string[][]> {
  const pages: string[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body } = await api.guest.get(next.replace(at(''), ''))
    pages.push(body.data.map(({ id }: { id: string }) => id))
    next = body.links[side]
  }
  return pages
}
