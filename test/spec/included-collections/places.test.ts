import { Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors } from '../../support/answers.ts'
import { bare, identifiers, page, parentOf, shownRelationship } from '../../support/included-collections.ts'
import { openServer, pageDocument, pathOf, type Query, urlOf } from '../../support/open-server.ts'
import { identifier, jsonapi } from '../../support/row-documents.ts'
import { useServers } from '../../support/servers.ts'

// Where included collections can stand: at the end of a path, on every URL that includes, and in what a write answers.

class User extends Schema<'User'> {
  override pagination() {
    return null
  }
}
class Post extends Schema<'Post'> {}
class Video extends Schema<'Video'> {}
class Comment extends Schema<'Comment'> {
  override fields() {
    return [this.morphTo('commentable', ['post', 'video'])]
  }
  override pagination() {
    return new CursorPagination()
  }
}
class Byline extends Schema<'User'> {
  override readonly defaultInclude = ['posts'] as const
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [openServer('all', { User, Post, Video, Comment }), openServer('default', { User: Byline, Post })],
}))

const get = (path: string, asked: Query, server = 'all') => servers.as(null)('GET', pathOf(server, path, asked))

const postsOf = async (authorId: number) =>
  (await servers.db.post.findMany({ where: { authorId }, orderBy: { id: 'asc' } })).map(({ id }) => id)
const commentsOf = async (postId: number) =>
  (await servers.db.comment.findMany({ where: { postId }, orderBy: { id: 'desc' } })).map(({ id }) => id)

const nextPage = (size: number) => ({ 'page[number]': 2, 'page[size]': size })

describe('a nested collection', () => {
  test('has a page for each of its parents, and those have theirs', async () => {
    const asked = {
      include: 'posts.comments',
      'fields[comments]': '',
      'fields[posts]': 'comments',
      'fields[users]': 'posts',
      'includeFilter[posts][comments][exists]': 'true',
      'includePage[posts.comments][size]': 1,
      'includePage[posts][size]': 2,
    }
    const discussed = await servers.db.post.findMany({
      where: { authorId: 5, comments: { some: {} } },
      orderBy: { id: 'asc' },
      take: 2,
    })
    const ids = discussed.map(({ id }) => id)
    const newest = await Promise.all(ids.map(async (id) => [id, (await commentsOf(id))[0] as number] as const))
    const shown = newest.map(([post, comment]) =>
      parentOf('posts', post, {
        server: 'all',
        relation: 'comments',
        data: identifiers('comments', [comment]),
        next: { 'page[after]': comment, 'page[limit]': 1 },
        meta: page(1, true),
      }),
    )
    const user = parentOf('users', 5, {
      server: 'all',
      relation: 'posts',
      data: identifiers('posts', ids),
      next: { 'filter[comments][exists]': 'true', ...nextPage(2) },
      meta: page(2, true),
    })
    const [first, second] = newest.flatMap(([, comment]) => bare('all', 'comments', [comment]))
    const document = pageDocument('all', '/users/5', { asked, data: user as never })
    expectAnswer(await get('/users/5', asked), 200, { ...document, included: [shown[0], first, shown[1], second] })
  })

  test('may lie behind a polymorphic relation, and is asked of every type that has it', async () => {
    const asked = { include: 'commentable.comments', 'includePage[commentable.comments][size]': 1 }
    for (const id of [1, 5]) {
      const { status, body } = await get(`/comments/${id}`, asked)
      const [target] = body.included
      expect([status, target.relationships.comments.meta]).toEqual([200, page(1, true)])
      expect(target.relationships.comments.data).toHaveLength(1)
    }
  })
})

describe('one relation at two paths', () => {
  const asked = { include: 'posts,posts.author.posts', 'fields[posts]': 'author', 'fields[users]': 'posts' }
  const two = async () =>
    shownRelationship({
      server: 'all',
      path: '/users/5',
      relation: 'posts',
      data: identifiers('posts', (await postsOf(5)).slice(0, 2)),
      next: nextPage(2),
      meta: page(2, true),
    })

  test('is asked once, and holds wherever the relation is included: a document shows a resource once', async () => {
    for (const paths of [['posts'], ['posts.author.posts'], ['posts', 'posts.author.posts']]) {
      const sizes = Object.fromEntries(paths.map((path) => [`includePage[${path}][size]`, 2]))
      const { body } = await get('/users/5', { ...asked, ...sizes })
      expect(body.data.relationships.posts).toEqual(await two())
      expect(body.included.map(({ id }: { id: string }) => Number(id))).toEqual((await postsOf(5)).slice(0, 2))
    }
  })

  test('cannot be asked in two ways', async () => {
    const answer = await get('/users/5', {
      ...asked,
      'includePage[posts][size]': 2,
      'includePage[posts.author.posts][size]': 3,
      'includeSort[posts.author.posts]': 'id',
    })
    const detail = (key: string) =>
      `Parameter ${key} must be the same as for posts: posts.author.posts is the same relation.`
    const errors = ['includePage[posts.author.posts][size]', 'includeSort[posts.author.posts]'].map((key) =>
      badParameter(key, detail(key)),
    )
    expectErrors(answer, ...errors)
  })
})

describe('other URLs', () => {
  const author = { server: 'all', relation: 'posts', next: nextPage(1), meta: page(1, true) }

  test('a to-one relation', async () => {
    const asked = { include: 'posts', 'fields[posts]': '', 'fields[users]': 'posts', 'includePage[posts][size]': 1 }
    const [id] = (await postsOf(5)) as [number]
    const data = parentOf('users', 5, { ...author, data: identifiers('posts', [id]) })
    const document = pageDocument('all', `/posts/${id}/author`, { asked, data: data as never })
    expectAnswer(await get(`/posts/${id}/author`, asked), 200, { ...document, included: bare('all', 'posts', [id]) })
  })

  test('a relationship, whose paths begin with its own name', async () => {
    const asked = {
      'fields[posts]': '',
      'fields[users]': 'posts',
      include: 'author.posts',
      'includePage[author.posts][size]': 1,
    }
    const [id] = (await postsOf(5)) as [number]
    const path = `/posts/${id}/relationships/author`
    const answer = await get(path, asked)
    expectAnswer(answer, 200, {
      jsonapi,
      links: { self: urlOf('all', path, asked), related: urlOf('all', `/posts/${id}/author`) },
      data: identifier('users', 5),
      included: [parentOf('users', 5, { ...author, data: identifiers('posts', [id]) }), ...bare('all', 'posts', [id])],
    })
  })

  test('the page of the relationship itself is asked with page', async () => {
    const answer = await get('/users/5/relationships/posts', { include: 'posts', 'includePage[posts][size]': 1 })
    const detail =
      'Parameter includePage[posts][size] is not allowed: posts is not a to-many relation that is included.'
    expectErrors(answer, badParameter('includePage[posts][size]', detail))
  })

  test('a write', async () => {
    const [id] = (await postsOf(5)) as [number]
    const asked = { include: 'author.posts', 'fields[users]': 'posts', 'includePage[author.posts][size]': 1 }
    const { status, body } = await servers.as(null)('PATCH', pathOf('all', `/posts/${id}`, asked), {
      body: { data: { type: 'posts', id: String(id), attributes: { title: 'New' } } },
    })
    const shown = parentOf('users', 5, { ...author, data: identifiers('posts', [id]) })
    expect([status, body.included]).toEqual([200, [shown]])
  })

  test('what a schema includes by default', async () => {
    const { body } = await get('/users/5', { 'includePage[posts][size]': 1 }, 'default')
    expect(body.data.relationships.posts.meta).toEqual(page(1, true))
  })
})
