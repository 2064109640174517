import { describe, expect, test } from 'vitest'
import {
  badParameter,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  forbidden,
  notFound,
} from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import {
  at,
  commentResource,
  documentOf,
  identifier,
  relationshipDocument,
  sparse,
} from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'

const api = useApi()
const commentsOf = (postId: number, take = 20) =>
  api.db.comment.findMany({ where: { postId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take })

async function discussed(count: number) {
  const { id } = await addPost(api.db)
  await api.db.comment.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      content: `Number ${n}.`,
      authorId: users.member4,
      postId: id,
      createdAt: new Date(Date.UTC(2024, 5, 1, 0, n)),
    })),
  })
  return id
}

describe('GET /posts/:id/comments', () => {
  test('the newest 20, and a link to those after', async () => {
    const id = await discussed(25)
    const rows = await commentsOf(id)
    const [first, last] = [rows[0]?.id, rows[19]?.id].map(String) as [string, string]
    const meta = { page: { from: first, to: last, hasMore: true, perPage: 20 } }
    const path = `/posts/${id}/comments`
    const links = {
      self: at(path),
      first: at(path, { 'page[limit]': 20 }),
      next: at(path, { 'page[after]': last, 'page[limit]': 20 }),
    }
    const document = documentOf(
      at(path),
      rows.map((row) => commentResource(row)),
      { meta },
    )
    expectAnswer(await api.guest.get(path), 200, { ...document, links })
    const linkage = relationshipDocument(
      `/posts/${id}`,
      'comments',
      rows.map((row) => identifier('comments', row.id)),
      { meta },
    )
    const relationship = `/posts/${id}/relationships/comments`
    expectAnswer(await api.guest.get(relationship), 200, {
      ...linkage,
      links: {
        ...linkage.links,
        first: at(relationship, { 'page[limit]': 20 }),
        next: at(relationship, { 'page[after]': last, 'page[limit]': 20 }),
      },
    })
  })

  test('none is an empty page', async () => {
    const id = await discussed(0)
    const path = `/posts/${id}/comments`
    expectAnswer(await api.guest.get(path), 200, {
      ...documentOf(at(path), [], { meta: { page: { from: null, to: null, hasMore: false, perPage: 20 } } }),
      links: { self: at(path), first: at(path, { 'page[limit]': 20 }) },
    })
  })

  test('each leads back to the post', async () => {
    const id = await discussed(1)
    const query = { include: 'commentable', 'fields[posts]': 'slug', 'fields[comments]': 'commentable' }
    const { status, body } = await api.guest.get(
      `/posts/${id}/comments?include=commentable&fields[posts]=slug&fields[comments]=commentable`,
    )
    const [row] = await commentsOf(id)
    const { slug } = await api.db.post.findUniqueOrThrow({ where: { id } })
    const {
      attributes: _,
      relationships,
      ...comment
    } = commentResource(row as NonNullable<typeof row>, {
      commentable: identifier('posts', id),
    })
    expect({ status, self: body.links.self }).toEqual({ status: 200, self: at(`/posts/${id}/comments`, query) })
    expect(body.data).toEqual([{ ...comment, relationships: { commentable: relationships.commentable } }])
    expect(body.included).toEqual([sparse('posts', id, { slug })])
  })

  test('a cursor of another post is 400', async () => {
    const [id, other] = [await discussed(2), await discussed(2)]
    const [row] = await commentsOf(other)
    expectErrors(await api.guest.get(`/posts/${id}/comments?page[after]=${row?.id}`), badParameter('page[after]'))
  })

  test('comments are in the order of the cursor, and no other', async () => {
    expectErrors(await api.guest.get('/posts/1/comments?sort=content'), badParameter('sort'))
  })

  test.each(['5', '4711'])('of post %s, which a guest cannot see, 404', async (id) => {
    for (const path of [`/posts/${id}/comments`, `/posts/${id}/relationships/comments`]) {
      expectErrors(await api.guest.get(path), notFound)
    }
  })

  test('POST is not how a comment is made: 405', async () => {
    expectNotAllowed(await api.as(users.admin).post('/posts/1/comments'), ['GET', 'HEAD'])
  })
})

describe('writing /posts/:id/relationships/comments', () => {
  test.each(['patch', 'post', 'delete'] as const)('%s is nobody’s to do', async (verb) => {
    const id = await discussed(1)
    const before = await commentsOf(id)
    const callers = [api.guest, api.as(users.member3), api.as(users.editor), api.as(users.admin)]
    for (const caller of callers) {
      const body = { data: [identifier('comments', 1)] }
      expectErrors(await caller[verb](`/posts/${id}/relationships/comments`, { body }), forbidden())
    }
    expect(await commentsOf(id)).toEqual(before)
  })
})
