import type { Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { videoId } from '../../../prisma/seed-rows.ts'
import V1 from '../../../src/app/v1/server.ts'
import { badParameter, conflict, expectErrors, forbidden, notFound, relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { jsonapi } from '../../support/row-documents.ts'
import { exampleWith, useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

// Object level authorization: member 3 against what is member 8's. Post 5 is a draft of member 8, post 13 is published;
// post 8 is member 3's own.

const api = useApi()
const member = api.as(users.member3)
const draft = 5
const unknown = 999

const post = (id: number) => ({ type: 'posts', id: String(id) })
const tag = (id: number) => ({ type: 'tags', id: String(id) })
/** In an order of their own: which rows there are is what matters here. */
const idsIn = (found: readonly { id: string }[]) => found.map(({ id }) => Number(id)).sort((a, b) => a - b)

type Ask = [method: string, path: string, body: ((id: number) => object) | null]

const title = (id: number) => ({ data: { ...post(id), attributes: { title: 'Mine now' } } })
const someTags = () => ({ data: [tag(2)] })

describe('what another member keeps to themselves is as if it were not', () => {
  test.each<Ask>([
    ['GET', '', null],
    ['HEAD', '', null],
    ['PATCH', '', title],
    ['DELETE', '', null],
  ])('S1: %s of the resource', compare)

  test.each<Ask>([
    ['GET', '/comments', null],
    ['GET', '/author', null],
    ['GET', '/relationships/comments', null],
    ['GET', '/relationships/author', null],
    ['GET', '?include=comments.author', null],
    ['PATCH', '/relationships/tags', someTags],
    ['POST', '/relationships/tags', someTags],
    ['DELETE', '/relationships/tags', someTags],
    ['PATCH', '/relationships/author', () => ({ data: { type: 'users', id: '3' } })],
  ])('S2: %s below the resource, %s', compare)

  async function compare(...[method, path, body]: Ask) {
    const before = await snapshot(api.db)
    const [hidden, missing] = await Promise.all(
      [draft, unknown].map((id) => member.request(method, `/posts/${id}${path}`, body ? { body: body(id) } : {})),
    )
    const shown = method === 'HEAD' ? undefined : { jsonapi, errors: [notFound] }
    expect({ status: hidden?.status, body: hidden?.body }).toEqual({ status: 404, body: shown })
    expect({ ...hidden, headers: headersOf(hidden) }).toEqual({ ...missing, headers: headersOf(missing) })
    expect(await snapshot(api.db)).toEqual(before)
  }

  const headersOf = (answer: { headers: Headers } | undefined) =>
    [...(answer?.headers ?? [])].filter(([name]) => name !== 'date')
})

test('S1: what may be seen, but is not theirs to change, is 403', async () => {
  const before = await snapshot(api.db)
  expectErrors(await member.patch('/posts/13', { body: title(13) }), forbidden())
  expectErrors(await member.delete('/posts/13'), forbidden())
  expect(await snapshot(api.db)).toEqual(before)
})

describe('S3: hidden rows are absent from what leads to them', () => {
  test('from included resources and from linkage', async () => {
    const { status, body } = await member.get('/users/8?include=posts')
    expect({ status, linkage: idsIn(body.data.relationships.posts.data), included: idsIn(body.included) }).toEqual({
      status: 200,
      linkage: [13, 21, 29, 37, 53],
      included: [13, 21, 29, 37, 53],
    })
  })

  test('from totals and links', async () => {
    const hers = await api.as(8).get('/users/8/posts?page[size]=1&page[number]=6')
    const { body } = await member.get('/users/8/posts?page[size]=1&page[number]=6')
    expect([hers.body.data.length, hers.body.meta.page.total, body.data.length, body.meta.page.total]).toEqual([
      1, 7, 0, 5,
    ])
    expect(body.links.last).toContain(`${encodeURIComponent('page[number]')}=5`)
  })

  test('from a to-one relation, which is empty then', async () => {
    const { id } = await api.db.comment.create({ data: { content: 'On a draft', authorId: 3, postId: draft } })
    const answers = await Promise.all(
      ['?include=commentable', '/commentable', '/relationships/commentable'].map((path) =>
        member.get(`/comments/${id}${path}`),
      ),
    )
    const [resource, related, relationship] = answers.map(({ body }) => body)
    expect([resource.data.relationships.commentable.data, resource.included]).toEqual([null, []])
    expect([related.data, relationship.data]).toEqual([null, null])
  })
})

test('S4: to link what cannot be seen is 404, as for what never was', async () => {
  const before = await snapshot(api.db)
  const about = (id: number) => ({
    data: {
      type: 'comments',
      attributes: { content: 'Is there something?' },
      relationships: { commentable: { data: post(id) } },
    },
  })
  expectErrors(
    await member.post('/comments', { body: about(draft) }),
    relatedNotFound('/data/relationships/commentable'),
  )
  expectErrors(
    await member.post('/comments', { body: about(unknown) }),
    relatedNotFound('/data/relationships/commentable'),
  )
  expect(await snapshot(api.db)).toEqual(before)
})

test('S4: to link what can be seen, without the right to, is 403', async () => {
  const before = await snapshot(api.db)
  const reason = 'Only an administrator may hand a post to another author.'
  const body = { data: { type: 'users', id: '4' } }
  expectErrors(await member.patch('/posts/8/relationships/author', { body }), forbidden(reason))
  expect(await snapshot(api.db)).toEqual(before)
})

describe("S5: another member's children cannot be taken over", () => {
  test.each([users.member3, users.editor, users.admin])('by the relationship, as user %d', async (id) => {
    const before = await snapshot(api.db)
    expectErrors(await api.as(id).patch('/users/3/relationships/posts', { body: { data: [post(13)] } }), forbidden())
    expectErrors(await api.as(id).post('/users/3/relationships/posts', { body: { data: [post(13)] } }), forbidden())
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('by a PATCH of the parent, where the relation has no rule', async () => {
    const before = await api.db.post.findMany({ orderBy: { id: 'asc' } })
    const data = { type: 'users', id: '3', relationships: { posts: { data: [post(13)] } } }
    expect((await member.patch('/users/3', { body: { data } })).status).toBe(200)
    expect(await api.db.post.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
  })
})

test.each([
  ['a guest', null, 48],
  ['a member, who sees drafts of their own', users.member3, 49],
  ['an editor', users.editor, 60],
])('S7: totals count what may be seen: %s', async (_, userId, total) => {
  const caller = userId === null ? api.guest : api.as(userId)
  const { body } = await caller.get('/posts?page[size]=1')
  const shown = await Promise.all([
    caller.get('/posts?page[size]=100'),
    caller.get(`/posts?page[size]=1&page[number]=${total + 1}`),
  ])
  expect([body.meta.page.total, body.meta.page.lastPage, ...shown.map((each) => each.body.data.length)]).toEqual([
    total,
    total,
    total,
    0,
  ])
})

describe('a server that hides comment 7 and video 3', () => {
  class Hiding extends V1 {
    override serving(phase: Serving): void {
      super.serving(phase)
      phase.scope('Comment', { id: { not: 7 } })
      phase.scope('Video', { id: { not: videoId(3) } })
    }
  }
  const servers = useServers(() => exampleWith(Hiding))

  test.each(['after', 'before'])(
    'S7: page[%s] with the id of a hidden row is 400, as with an unknown id',
    async (key) => {
      const ask = servers.as(users.member3)
      const hidden = await ask('GET', `/api/v1/comments?page[${key}]=7`)
      const missing = await ask('GET', `/api/v1/comments?page[${key}]=70000`)
      expectErrors(hidden, badParameter(`page[${key}]`))
      expect(hidden.text).toBe(missing.text)
    },
  )

  test('S8: the client-generated id of a hidden row is taken: 409, which is why such ids are UUIDs', async () => {
    const attributes = { title: 'New', url: 'https://example.com' }
    const body = { data: { type: 'videos', id: videoId(3), attributes } }
    const answer = await servers.as(users.member3)('POST', '/api/v1/videos', { body })
    expectErrors(answer, {
      ...conflict,
      detail: `Resource ${videoId(3)} already exists.`,
      source: { pointer: '/data/id' },
    })
    expect(await servers.db.video.findUnique({ where: { id: videoId(3) } })).toMatchObject({ title: 'Video 3' })
  })
})
