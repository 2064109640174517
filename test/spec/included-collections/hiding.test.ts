import { Schema } from 'prismapi'
import type { HookRequest } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrorsOf11 } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { bare, identifiers, page, parentOf, walk } from '../../support/included-collections.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// What a request may not see is not on the page, does not fill it, and is not what lies behind it.

class User extends Schema<'User'> {}
class Comment extends Schema<'Comment'> {
  override relatableQuery(_request: HookRequest) {
    return { id: { not: 10 } }
  }
}
class Post extends Schema<'Post'> {}
class Tag extends Schema<'Tag'> {}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer(
      'narrow',
      { User, Comment, Post, Tag },
      {
        serving(phase) {
          phase.scope('Comment', { id: { notIn: [18, 34] } })
          phase.scope('Post', { id: { gt: 30 } })
          phase.scope('User', { id: { not: 4 } })
        },
      },
    ),
  ],
}))

const get = (path: string, asked: Query) => servers.as(null)('GET', pathOf('narrow', path, asked))
const comments = { include: 'comments', 'fields[comments]': '', 'fields[users]': 'comments' }

describe('hidden children', () => {
  // Of the comments 2, 10, 18, 26, 34, 42 of user 5, the scope hides 18 and 34, and the hook 10.
  test('are neither shown nor counted as more', async () => {
    const asked = { ...comments, 'includeFilter[comments][id][lte]': 42, 'includePage[comments][size]': 3 }
    const data = parentOf('users', 5, {
      server: 'narrow',
      relation: 'comments',
      data: identifiers('comments', [2, 26, 42]),
      meta: page(3, false),
    })
    const document = pageDocument('narrow', '/users/5', { asked, data: data as never })
    const included = bare('narrow', 'comments', [2, 26, 42])
    expectAnswer(await get('/users/5', asked), 200, { ...document, included })
  })

  test('are not met behind next either', async () => {
    const { body } = await get('/users/5', { ...comments, 'includePage[comments][size]': 2 })
    const shown = await walk(servers.as(null), body.data.relationships.comments)
    const all = Array.from({ length: 25 }, (_, index) => 2 + 8 * index)
    expect(shown).toEqual(all.filter((id) => ![10, 18, 34].includes(id)))
  })

  test('of a join table are passed over, too', async () => {
    const { body } = await get('/tags/2', { include: 'posts', 'includePage[posts][size]': 2 })
    const visible = await servers.db.post.findMany({
      where: { id: { gt: 30 }, tags: { some: { id: 2 } } },
      orderBy: { id: 'asc' },
    })
    expect(await walk(servers.as(null), body.data.relationships.posts)).toEqual(visible.map(({ id }) => id))
    expect(visible.length).toBeGreaterThan(2)
  })

  test('sort as null: no order tells what lies behind them', async () => {
    const { postId } = await servers.db.comment.findFirstOrThrow({ where: { authorId: 4, postId: { gt: 40 } } })
    const { body } = await get(`/posts/${postId}`, { include: 'comments', 'includeSort[comments]': 'author.name' })
    const found = await servers.db.comment.findMany({
      where: { postId },
      orderBy: [{ author: { name: 'asc' } }, { id: 'asc' }],
    })
    const hidden = found.filter(({ authorId }) => authorId === 4)
    const visible = found.filter(({ authorId }) => authorId !== 4)
    expect(hidden.length * visible.length).toBeGreaterThan(0)
    // PostgreSQL has nulls last.
    const inOrder = provider === 'postgresql' ? [...visible, ...hidden] : [...hidden, ...visible]
    const ids = inOrder.map(({ id }) => id)
    expect(body.data.relationships.comments.data).toEqual(identifiers('comments', ids))
  })

  test('cannot be filtered by: no filter finds what lies behind them', async () => {
    const { postId } = await servers.db.comment.findFirstOrThrow({ where: { authorId: 4, postId: { gt: 40 } } })
    const asked = { include: 'comments', 'includeFilter[comments][author.name][contains]': 'Member' }
    const { body } = await get(`/posts/${postId}`, asked)
    const visible = await servers.db.comment.findMany({
      where: { postId, authorId: { not: 4 } },
      orderBy: { id: 'asc' },
    })
    const ids = visible.map(({ id }) => id)
    expect(body.data.relationships.comments.data).toEqual(identifiers('comments', ids))
  })
})

describe('what was deleted softly', () => {
  const api = useApi()
  const asked = 'include=posts&includeFilter[posts][trashed]=only&includePage[posts][size]=1'
  const tagOf = async () => {
    const deletedAt = new Date('2024-06-01')
    const posts = [await addPost(api.db), await addPost(api.db, { deletedAt }), await addPost(api.db, { deletedAt })]
    const ids = posts.map(({ id }) => ({ id }))
    const { id } = await api.db.tag.create({ data: { name: 'of deleted posts', posts: { connect: ids } } })
    return { path: `/api/v2/tags/${id}`, deleted: ids.slice(1).map((post) => post.id) }
  }

  test('is shown to those who may see it, and the link goes on with it', async () => {
    const { path, deleted } = await tagOf()
    const { request } = api.as(users.editor)
    const { status, body } = await request('GET', `${path}?${asked}`)
    const { posts } = body.data.relationships
    expect([status, posts.data.length, posts.meta]).toEqual([200, 1, page(1, true)])
    const walked = await walk(request, posts)
    expect(walked.toSorted()).toEqual(deleted.toSorted())
  })

  test('does not exist to others', async () => {
    const answer = await api.guest.get(`/api/v2/tags/2?${asked}`)
    const detail = 'Filter parameter trashed is not allowed.'
    expectErrorsOf11(answer, badParameter('includeFilter[posts][trashed]', detail))
  })
})
