import { describe, expect, test } from 'vitest'
import {
  badParameter,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  forbidden,
  notFound,
} from '../../support/answers.ts'
import { type Caller, useApi, users } from '../../support/api.ts'
import {
  at,
  documentOf,
  identifier,
  pageOf,
  postResource,
  relationshipDocument,
  videoResource,
} from '../../support/row-documents.ts'
import { addPost, addTag, tagsOf } from '../../support/rows.ts'

const api = useApi()

/** A tag with three posts of member 3, of which one is a draft, and one in the bin. */
async function tagWithPosts() {
  const { id } = await addTag(api.db)
  const tags = { connect: { id } }
  const older = await addPost(api.db, { tags, createdAt: new Date('2024-05-01') })
  const newer = await addPost(api.db, { tags, createdAt: new Date('2024-05-02') })
  const draft = await addPost(api.db, { tags, createdAt: new Date('2024-05-03'), publishedAt: null })
  const deleted = await addPost(api.db, { tags, deletedAt: new Date() })
  return { id, older, newer, draft, deleted }
}

describe('GET /tags/:id/posts', () => {
  const sort = '-createdAt'

  test('the posts that a guest may see, newest first, on a page', async () => {
    const { id, older, newer } = await tagWithPosts()
    const path = `/tags/${id}/posts`
    const { links, meta } = pageOf(path, { number: 1, size: 15, total: 2, sort })
    const document = documentOf(at(path), [postResource(newer), postResource(older)], { meta })
    expectAnswer(await api.guest.get(path), 200, { ...document, links: { self: at(path), ...links } })
  })

  test('their author sees the draft too', async () => {
    const { id, older, newer, draft } = await tagWithPosts()
    const path = `/tags/${id}/relationships/posts`
    const { links, meta } = pageOf(path, { number: 1, size: 15, total: 3, sort })
    const data = [draft, newer, older].map((post) => identifier('posts', post.id))
    const document = relationshipDocument(`/tags/${id}`, 'posts', data, { meta })
    expectAnswer(await api.as(users.member3).get(path), 200, { ...document, links: { ...document.links, ...links } })
  })

  test('pages, orders and filters like any collection of posts', async () => {
    const { id, older } = await tagWithPosts()
    const path = `/tags/${id}/posts`
    const query = { sort: 'createdAt', 'page[size]': 1, 'filter[author]': '3' }
    const asked = { number: 1, size: 1, total: 2, sort: 'createdAt', query: { 'filter[author]': '3' } }
    const { links, meta } = pageOf(path, asked)
    expectAnswer(await api.guest.get(`${path}?sort=createdAt&page[size]=1&filter[author]=3`), 200, {
      ...documentOf(at(path, query), [postResource(older)], { meta }),
      links: { self: at(path, query), ...links },
    })
  })

  test('a slug does not make a list single here', async () => {
    const { id, older } = await tagWithPosts()
    const { status, body } = await api.guest.get(`/tags/${id}/posts?filter[slug]=${older.slug}`)
    expect({ status, data: body.data }).toEqual({ status: 200, data: [postResource(older)] })
  })

  test('none is an empty page', async () => {
    const { id } = await addTag(api.db)
    const path = `/tags/${id}/posts`
    const { links, meta } = pageOf(path, { number: 1, size: 15, total: 0, sort })
    const document = documentOf(at(path), [], { meta })
    expectAnswer(await api.guest.get(path), 200, { ...document, links: { self: at(path), ...links } })
  })

  test('of an unknown tag is 404', async () => {
    for (const path of ['/tags/4711/posts', '/tags/4711/relationships/posts']) {
      expectErrors(await api.guest.get(path), notFound)
    }
  })
})

describe('GET /tags/:id/videos', () => {
  const simple = (path: string, shown: number) => ({
    links: { first: at(path, { 'page[number]': 1, 'page[size]': 15, sort: '-createdAt' }) },
    meta: { page: { currentPage: 1, from: Math.min(1, shown), perPage: 15, to: shown } },
  })

  test('the videos, newest first, on a page without a total', async () => {
    const where = { tags: { some: { id: 3 } } }
    const rows = await api.db.video.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] })
    expect(rows.length).toBeGreaterThan(0)
    const { links, meta } = simple('/tags/3/videos', rows.length)
    expectAnswer(await api.guest.get('/tags/3/videos'), 200, {
      ...documentOf(
        at('/tags/3/videos'),
        rows.map((row) => videoResource(row)),
        { meta },
      ),
      links: { self: at('/tags/3/videos'), ...links },
    })
    const relationship = simple('/tags/3/relationships/videos', rows.length)
    const linkage = rows.map(({ id }) => identifier('videos', id))
    const document = relationshipDocument('/tags/3', 'videos', linkage, { meta: relationship.meta })
    expectAnswer(await api.guest.get('/tags/3/relationships/videos'), 200, {
      ...document,
      links: { ...document.links, ...relationship.links },
    })
  })

  test('none is an empty page', async () => {
    const { id } = await addTag(api.db)
    const path = `/tags/${id}/videos`
    const { links, meta } = simple(path, 0)
    const document = documentOf(at(path), [], { meta })
    expectAnswer(await api.guest.get(path), 200, { ...document, links: { self: at(path), ...links } })
  })

  test('a cursor is not how videos are paged', async () => {
    expectErrors(await api.guest.get('/tags/3/videos?page[limit]=1'), badParameter('page[limit]'))
  })

  test('of an unknown tag is 404', async () => {
    for (const path of ['/tags/4711/videos', '/tags/4711/relationships/videos']) {
      expectErrors(await api.guest.get(path), notFound)
    }
  })
})

describe('writing the relationships of a tag', () => {
  const verbs = ['patch', 'post', 'delete'] as const

  test.each(
    verbs.flatMap((verb) => [
      [verb, 'posts', '1'] as const,
      [verb, 'videos', '00000000-0000-4000-8000-000000000001'] as const,
    ]),
  )(
    '%s of %s: a guest, a member and an editor may not, and for an administrator there is no rule',
    async (verb, name, target) => {
      const before = await api.db.tag.findUniqueOrThrow({ where: { id: 2 }, include: { posts: true, videos: true } })
      const send = (caller: Caller) =>
        caller[verb](`/tags/2/relationships/${name}`, { body: { data: [identifier(name, target)] } })
      const callers = [api.guest, api.as(users.member3), api.as(users.editor), api.as(users.admin)]
      for (const caller of callers) expectErrors(await send(caller), forbidden())
      const after = await api.db.tag.findUniqueOrThrow({ where: { id: 2 }, include: { posts: true, videos: true } })
      expect(after).toEqual(before)
    },
  )

  test('posts that are sent with the tag itself are ignored', async () => {
    const { id, older } = await tagWithPosts()
    const data = { type: 'tags', id: String(id), attributes: {}, relationships: { posts: { data: [] } } }
    expect((await api.as(users.admin).patch(`/tags/${id}`, { body: { data } })).status).toBe(200)
    expect(await tagsOf(api.db, older.id)).toEqual([id])
  })

  test('an unknown tag is 404, before anybody is asked for permission', async () => {
    for (const verb of verbs) {
      expectErrors(await api.guest[verb]('/tags/4711/relationships/posts', { body: { data: [] } }), notFound)
    }
  })

  test('the URLs of the resources are for reading', async () => {
    for (const name of ['posts', 'videos']) {
      expectNotAllowed(await api.as(users.admin).post(`/tags/2/${name}`), ['GET', 'HEAD'])
    }
  })
})
