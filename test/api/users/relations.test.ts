import { describe, expect, test } from 'vitest'
import { expectAnswer, expectErrors, expectNotAllowed, forbidden, notFound } from '../../support/answers.ts'
import { type Caller, useApi, users } from '../../support/api.ts'
import {
  at,
  commentResource,
  documentOf,
  identifier,
  pageOf,
  postResource,
  profileResource,
  relationshipDocument,
  videoResource,
} from '../../support/row-documents.ts'
import { addUser } from '../../support/rows.ts'

const api = useApi()
const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }] as const
const names = ['posts', 'comments', 'videos', 'profile'] as const

/** The related resources and the linkage of user 3, as one caller sees them. */
async function expectRelated(
  caller: Caller,
  name: string,
  resources: readonly { type: string; id: string }[],
  pageFor: (path: string) => { links: object; meta: object },
) {
  const path = `/users/3/${name}`
  const page = pageFor(path)
  expectAnswer(await caller.get(path), 200, {
    ...documentOf(at(path), resources, { meta: page.meta }),
    links: { self: at(path), ...page.links },
  })
  const relationship = `/users/3/relationships/${name}`
  const linkagePage = pageFor(relationship)
  const linkage = resources.map(({ type, id }) => ({ type, id }))
  const document = relationshipDocument('/users/3', name, linkage, { meta: linkagePage.meta })
  expectAnswer(await caller.get(relationship), 200, { ...document, links: { ...document.links, ...linkagePage.links } })
}

describe('what a user has', () => {
  test.each([
    ['another member: those that are published', users.member4, 6],
    ['the author: all', users.member3, 7],
    ['an editor: all', users.editor, 7],
  ])('posts, seen by %s', async (_, userId, total) => {
    const where = { authorId: users.member3, ...(total === 6 && { publishedAt: { not: null } }) }
    const rows = await api.db.post.findMany({ where, orderBy: [...newestFirst] })
    expect(rows).toHaveLength(total)
    await expectRelated(
      api.as(userId),
      'posts',
      rows.map((row) => postResource(row)),
      (path) => pageOf(path, { number: 1, size: 15, total, sort: '-createdAt' }),
    )
  })

  test('comments, by the cursor', async () => {
    const rows = await api.db.comment.findMany({ where: { authorId: 3 }, orderBy: [...newestFirst], take: 20 })
    const total = await api.db.comment.count({ where: { authorId: 3 } })
    const [from, to] = [String(rows[0]?.id), String(rows.at(-1)?.id)]
    await expectRelated(
      api.as(users.member4),
      'comments',
      rows.map((row) => commentResource(row)),
      (path) => ({
        links: {
          first: at(path, { 'page[limit]': 20 }),
          ...(total > 20 && { next: at(path, { 'page[after]': to, 'page[limit]': 20 }) }),
        },
        meta: { page: { from, to, hasMore: total > 20, perPage: 20 } },
      }),
    )
  })

  test('videos, on a page without a total', async () => {
    const rows = await api.db.video.findMany({ where: { ownerId: 3 }, orderBy: [...newestFirst] })
    await expectRelated(
      api.as(users.member4),
      'videos',
      rows.map((row) => videoResource(row)),
      (path) => ({
        links: { first: at(path, { 'page[number]': 1, 'page[size]': 15, sort: '-createdAt' }) },
        meta: { page: { currentPage: 1, from: 1, perPage: 15, to: rows.length } },
      }),
    )
  })

  test('a profile', async () => {
    const row = await api.db.profile.findUniqueOrThrow({ where: { userId: 3 } })
    const caller = api.as(users.member4)
    expectAnswer(await caller.get('/users/3/profile'), 200, documentOf(at('/users/3/profile'), profileResource(row)))
    const linkage = relationshipDocument('/users/3', 'profile', identifier('profiles', row.id))
    expectAnswer(await caller.get('/users/3/relationships/profile'), 200, linkage)
  })

  test('or nothing at all', async () => {
    const { id } = await addUser(api.db)
    const caller = api.as(users.member4)
    expectAnswer(await caller.get(`/users/${id}/profile`), 200, documentOf(at(`/users/${id}/profile`), null))
    const linkage = relationshipDocument(`/users/${id}`, 'profile', null)
    expectAnswer(await caller.get(`/users/${id}/relationships/profile`), 200, linkage)
    for (const name of ['posts', 'comments', 'videos']) {
      const { status, body } = await caller.get(`/users/${id}/${name}`)
      expect({ status, data: body.data }).toEqual({ status: 200, data: [] })
    }
  })
})

describe.each(names)('the relation %s', (name) => {
  const paths = (id: number) => [`/users/${id}/${name}`, `/users/${id}/relationships/${name}`]

  test('is for those who are signed in', async () => {
    for (const path of paths(3)) expectErrors(await api.guest.get(path), forbidden())
  })

  test('of an unknown user is 404', async () => {
    for (const path of paths(4711)) {
      expectErrors(await api.guest.get(path), notFound)
      expectErrors(await api.as(users.admin).get(path), notFound)
    }
  })

  test('is nobody’s to write', async () => {
    const isOne = name === 'profile'
    const target = identifier(isOne ? 'profiles' : name, name === 'videos' ? '00000000-0000-4000-8000-000000000001' : 4)
    const rows = () => api.db.user.findMany({ include: { posts: true, comments: true, videos: true, profile: true } })
    const before = await rows()
    const [related = '', relationship = ''] = paths(3)
    for (const caller of [api.guest, api.as(users.member3), api.as(users.editor), api.as(users.admin)]) {
      for (const verb of isOne ? (['patch'] as const) : (['patch', 'post', 'delete'] as const)) {
        const body = { data: isOne ? target : [target] }
        expectErrors(await caller[verb](relationship, { body }), forbidden())
      }
    }
    expect(await rows()).toEqual(before)
    expectNotAllowed(await api.as(users.admin).patch(related), ['GET', 'HEAD'])
    if (isOne) expectNotAllowed(await api.as(users.admin).post(relationship), ['GET', 'HEAD', 'PATCH'])
  })
})
