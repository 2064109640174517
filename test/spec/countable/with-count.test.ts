import { notSupported } from '@prismapi/core/validation/rules/field-rules'
import { ResourceQuery, Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors, expectNothing } from '../../support/answers.ts'
import { openServer, pageDocument, pathOf, type Query, urlOf } from '../../support/open-server.ts'
import { identifier, jsonapi } from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// Relations that say how many they are: `withCount`, and `meta.count` of their own URLs.

class Posts extends Schema<'Post'> {
  override softDelete = 'deletedAt' as const
  override fields() {
    return [this.relation('comments').countable(), this.relation('tags').countable()]
  }
}
class Comments extends Schema<'Comment'> {
  override pagination() {
    return null
  }
}
class Tags extends Schema<'Tag'> {
  override fields() {
    return [this.relation('posts').countable()]
  }
}
class Users extends Schema<'User'> {}
class NoCounts extends ResourceQuery<'Post'> {
  override rules() {
    return { withCount: notSupported() }
  }
}

const schemas = { Post: Posts, Comment: Comments, Tag: Tags, User: Users }
const servers = useServers(() => ({
  policies: new Map(),
  servers: [openServer('all', schemas), openServer('rules', schemas, { requests: { Post: { query: NoCounts } } })],
}))

const ask = (server: string, path: string, query: Query = {}) => servers.as(null)('GET', pathOf(server, path, query))

/** What a relationship with its links and its number looks like. */
const counted = (server: string, path: string, relation: string, count: number) => ({
  links: {
    self: urlOf(server, `${path}/relationships/${relation}`),
    related: urlOf(server, `${path}/${relation}`),
  },
  meta: { count },
})

/** A post of which a field set left the two relations. */
async function countedPost(server: string, id: number) {
  const path = `/posts/${id}`
  return {
    ...identifier('posts', id),
    relationships: {
      tags: counted(server, path, 'tags', await servers.db.tag.count({ where: { posts: { some: { id } } } })),
      comments: counted(server, path, 'comments', await servers.db.comment.count({ where: { postId: id } })),
    },
    links: { self: urlOf(server, path) },
  }
}

const both = { 'fields[posts]': 'comments,tags', withCount: 'comments,tags' }

describe('withCount', () => {
  test('on a collection shows the number of every resource’s, and is kept in the links of pages', async () => {
    const size = { 'page[number]': 2, 'page[size]': 3 }
    const side = (number: number) => ({ ...both, 'page[number]': number, 'page[size]': 3 })
    const asked = { ...both, ...size }
    const inOrder = (query: Query) => Object.fromEntries(Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1)))
    const total = await servers.db.post.count({ where: { deletedAt: null } })
    const lastPage = Math.ceil(total / 3)
    const document = pageDocument('all', '/posts', {
      asked,
      data: await Promise.all([4, 5, 6].map((id) => countedPost('all', id))),
      meta: { page: { currentPage: 2, from: 4, lastPage, perPage: 3, to: 6, total } },
      sides: Object.fromEntries(
        Object.entries({ first: 1, prev: 1, next: 3, last: lastPage }).map(([name, number]) => [
          name,
          inOrder(side(number)),
        ]),
      ),
    })
    expectAnswer(await ask('all', '/posts', asked), 200, document)
  })

  test('on one resource, and where a relation leads to one', async () => {
    const { postId: post } = await servers.db.comment.findUniqueOrThrow({ where: { id: 1 } })
    const data = await countedPost('all', post as number)
    for (const path of [`/posts/${post}`, '/comments/1/post']) {
      expectAnswer(await ask('all', path, both), 200, pageDocument('all', path, { asked: both, data } as never))
    }
  })

  test('on a to-many relation', async () => {
    const { body } = await ask('all', '/users/3/posts', both)
    expect(body.data).toEqual(
      await Promise.all(body.data.map(({ id }: { id: string }) => countedPost('all', Number(id)))),
    )
    expect(body.data.length).toBeGreaterThan(3)
  })

  test('counts what the relation has, included or not', async () => {
    const { body } = await ask('all', '/posts/1', { include: 'tags', withCount: 'tags' })
    const { tags } = body.data.relationships
    expect(tags.meta).toEqual({ count: tags.data.length })
    expect(body.data.relationships.comments.meta).toBeUndefined()
  })

  test('works for what a write answers', async () => {
    const relationships = {
      author: { data: identifier('users', 3) },
      tags: { data: [identifier('tags', 2), identifier('tags', 3)] },
    }
    const attributes = { title: 'T', slug: 'counted-at-birth', content: 'C' }
    const created = await servers.as(null)('POST', pathOf('all', '/posts', both), {
      body: { data: { type: 'posts', attributes, relationships } },
    })
    const id = Number(created.body.data.id)
    expect([created.status, created.body.data]).toEqual([201, await countedPost('all', id)])
    const tags = { data: [identifier('tags', 4)] }
    const updated = await servers.as(null)('PATCH', pathOf('all', `/posts/${id}`, both), {
      body: { data: { type: 'posts', id: String(id), relationships: { tags } } },
    })
    expect([updated.status, updated.body.data]).toEqual([200, await countedPost('all', id)])
    expect(updated.body.data.relationships.tags.meta).toEqual({ count: 1 })
  })

  test('names nothing, and nothing is counted', async () => {
    const { status, body } = await ask('all', '/posts/1', { withCount: '' })
    expect([status, body.data.relationships.comments.meta]).toEqual([200, undefined])
  })

  test.each([
    ['posts/1', 'author', 'Field author is not countable.'],
    ['posts/1', 'title', 'Field title is not countable.'],
    ['posts/1', 'likes', 'Field likes is not countable.'],
    ['posts', 'comments.author', 'Field comments.author is not countable.'],
    ['users', 'posts', 'Field posts is not countable.'],
  ])('on %s of %s is 400', async (path, withCount, detail) => {
    expectErrors(await ask('all', `/${path}`, { withCount }), badParameter('withCount', detail))
  })

  test('names everything that cannot be counted', async () => {
    const { status, body } = await ask('all', '/posts', { withCount: 'author,comments,likes' })
    const details = body.errors.map(({ detail }: { detail: string }) => detail)
    expect([status, details]).toEqual([400, ['Field author is not countable.', 'Field likes is not countable.']])
  })

  test('means nothing to a relationship, whose data are identifiers', async () => {
    const answer = await ask('all', '/posts/1/relationships/tags', { withCount: 'posts' })
    expectErrors(answer, badParameter('withCount', 'Parameter withCount is not allowed.'))
  })

  test('may be refused by a query class', async () => {
    const answer = await ask('rules', '/posts/1', { withCount: 'tags' })
    expectErrors(answer, badParameter('withCount', 'Parameter withCount is not allowed.'))
  })
})

describe('the URLs of a countable relation', () => {
  const idsOf = async (postId: number) =>
    (await servers.db.comment.findMany({ where: { postId }, orderBy: { id: 'asc' } })).map(({ id }) => id)

  test('tell the number, whatever the filter', async () => {
    const ids = await idsOf(1)
    const [first] = ids as [number]
    const path = '/posts/1/relationships/comments'
    const links = { related: urlOf('all', '/posts/1/comments') }
    const meta = { count: ids.length }
    const all = { data: ids.map((id) => identifier('comments', id)), links, meta }
    expectAnswer(await ask('all', path), 200, pageDocument('all', path, all))
    const asked = { 'filter[id]': first }
    const filtered = { asked, data: [identifier('comments', first)], links, meta }
    expectAnswer(await ask('all', path, asked), 200, pageDocument('all', path, filtered))
    const { body } = await ask('all', '/posts/1/comments', asked)
    expect([body.data.length, body.meta]).toEqual([1, meta])
  })

  test('tell it beside the page', async () => {
    const { id } = await addPost(servers.db, { tags: { connect: [2, 3, 4].map((tag) => ({ id: tag })) } } as object)
    const asked = { 'page[size]': 2, 'filter[id][gt]': 3 }
    for (const path of [`/posts/${id}/tags`, `/posts/${id}/relationships/tags`]) {
      const { status, body } = await ask('all', path, asked)
      const page = { currentPage: 1, from: 1, lastPage: 1, perPage: 2, to: 1, total: 1 }
      expect([status, body.meta]).toEqual([200, { page, count: 3 }])
    }
  })

  test('tell it after a write that answers with linkage', async () => {
    const { id } = await addPost(servers.db)
    const path = `/posts/${id}/relationships/tags`
    const data = [identifier('tags', 2), identifier('tags', 5)]
    const write = (method: string, body: object) => servers.as(null)(method, pathOf('all', path), { body })
    const links = { self: urlOf('all', path), related: urlOf('all', `/posts/${id}/tags`) }
    expectAnswer(await write('PATCH', { data }), 200, { jsonapi, links, meta: { count: 2 }, data })
    expectNothing(await write('POST', { data: [identifier('tags', 6)] }))
    const { body } = await ask('all', path)
    expect(body.meta.count).toBe(3)
  })

  test('tell nothing where the relation is not countable', async () => {
    expect((await ask('all', '/users/3/comments')).body).not.toHaveProperty('meta')
  })
})
