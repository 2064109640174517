import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import {
  badParameter,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  forbidden,
  nonCompliant,
} from '../../support/answers.ts'
import { openServer, pathOf, type Query, urlOf } from '../../support/open-server.ts'
import { identifier, jsonapi } from '../../support/row-documents.ts'
import { addUser } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// What a schema class says of single fields, of links, and of what is sent when nothing is asked for.

class Users extends Schema<'User'> {
  override fields() {
    return [
      this.attribute('email').hidden(),
      this.attribute('passwordHash').named('hash').visible().asReadOnly(),
      this.attribute('name').notSortable(),
      this.attribute('role').notFilterable().asReadOnly(),
      this.attribute('updatedAt').hidden(),
      this.relation('videos').hidden(),
      this.relation('comments').asReadOnly(),
      this.relation('posts').cannotInclude(),
    ]
  }
}
class SecretUsers extends Schema<'User'> {
  override fields() {
    return [this.attribute('passwordHash').writeOnly(), this.attribute('email').writeOnly()]
  }
}
class Posts extends Schema<'Post'> {
  override readonly defaultSort = '-id'
  override readonly defaultInclude = ['author'] as const
  override fields() {
    return [
      this.relation('tags').alwaysShowData(),
      this.relation('author').withoutLinks(),
      this.relation('comments').withoutLinks().countable(),
    ]
  }
}
class Tags extends Schema<'Tag'> {
  override selfLink = false
  override pagination() {
    return null
  }
}
class Comments extends Schema<'Comment'> {}
class Videos extends Schema<'Video'> {}

const others = { Post: Posts, Tag: Tags, Comment: Comments, Video: Videos }
const servers = useServers(() => ({
  policies: new Map(),
  servers: [openServer('options', { User: Users, ...others }), openServer('secret', { User: SecretUsers, ...others })],
}))

const ask = (path: string, query: Query = {}, server = 'options') =>
  servers.as(null)('GET', pathOf(server, path, query))
const send = (method: string, path: string, data: unknown, server = 'options') =>
  servers.as(null)(method, pathOf(server, path), { body: { data } })
const url = (path: string, query: Query = {}) => urlOf('options', path, query)
const links = (path: string, name: string) => ({
  links: { self: url(`${path}/relationships/${name}`), related: url(`${path}/${name}`) },
})

describe('attributes', () => {
  test('are shown, hidden, and shown though their name hides them', async () => {
    const row = await servers.db.user.findUniqueOrThrow({ where: { id: 3 } })
    const data = {
      ...identifier('users', 3),
      attributes: { name: row.name, role: row.role, hash: row.passwordHash, createdAt: row.createdAt.toISOString() },
      relationships: { posts: links('/users/3', 'posts'), comments: links('/users/3', 'comments') },
      links: { self: url('/users/3') },
    }
    expectAnswer(await ask('/users/3'), 200, { jsonapi, links: { self: url('/users/3') }, data })
  })

  test.each<[Query, string, string]>([
    [{ sort: 'name' }, 'sort', 'Sort parameter name is not allowed.'],
    [{ sort: 'email' }, 'sort', 'Sort parameter email is not allowed.'],
    [{ 'filter[role]': 'ADMIN' }, 'filter[role]', 'Filter parameter role is not allowed.'],
    [{ 'filter[email]': 'a' }, 'filter[email]', 'Filter parameter email is not allowed.'],
    [{ 'fields[users]': 'email' }, 'fields[users]', 'Sparse field set users.email is not allowed.'],
  ])('%o is 400', async (query, parameter, detail) => {
    expectErrors(await ask('/users', query), badParameter(parameter, detail))
  })

  test('that can be sorted or filtered by can be, still', async () => {
    const { body } = await ask('/users', { 'filter[name][startsWith]': 'Ad', sort: '-role' })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['1'])
  })

  test('that are read-only are ignored, those that are hidden unknown', async () => {
    const { id, ...before } = await addUser(servers.db)
    const change = (attributes: object) => send('PATCH', `/users/${id}`, { type: 'users', id: String(id), attributes })
    expect((await change({ role: 'ADMIN', hash: 'x', name: 'Renamed' })).status).toBe(200)
    const row = await servers.db.user.findUniqueOrThrow({ where: { id } })
    expect(row).toEqual({ ...before, id, name: 'Renamed', updatedAt: row.updatedAt })
    expectErrors(
      await change({ email: 'x@example.com' }),
      nonCompliant('The field email is not a supported attribute.', '/data/attributes/email'),
    )
  })

  test('that are write-only are written and never shown', async () => {
    const attributes = { name: 'New', email: 'new@example.com', passwordHash: 'scrypt$new' }
    const { status, body } = await send('POST', '/users', { type: 'users', attributes }, 'secret')
    const { createdAt, updatedAt, ...shown } = body.data.attributes
    expect([status, shown]).toEqual([201, { name: 'New', role: 'MEMBER' }])
    const row = await servers.db.user.findUniqueOrThrow({ where: { id: Number(body.data.id) } })
    expect([row.passwordHash, row.email]).toEqual(['scrypt$new', 'new@example.com'])
    expectErrors(
      await ask('/users', { 'filter[passwordHash]': 'x' }, 'secret'),
      badParameter('filter[passwordHash]', 'Filter parameter passwordHash is not allowed.'),
    )
  })
})

describe('relations', () => {
  test('that are hidden do not exist', async () => {
    for (const path of ['/users/3/videos', '/users/3/relationships/videos']) expect((await ask(path)).status).toBe(404)
    expectErrors(
      await ask('/users', { include: 'videos' }),
      badParameter('include', 'Include path videos is not allowed.'),
    )
    const data = { type: 'users', id: '3', relationships: { videos: { data: [] } } }
    expectErrors(
      await send('PATCH', '/users/3', data),
      nonCompliant('The field videos is not a supported relationship.', '/data/relationships/videos'),
    )
  })

  test('that are read-only have no endpoints that change them, and documents do not', async () => {
    for (const method of ['PATCH', 'POST', 'DELETE'])
      expectErrors(
        await send(method, '/users/3/relationships/comments', []),
        forbidden('The relationship comments cannot be changed here.'),
      )
    expectNotAllowed(await send('PUT', '/users/3/relationships/comments', []), ['GET', 'HEAD'])
    const before = await servers.db.comment.count({ where: { authorId: 3 } })
    const data = { type: 'users', id: '3', relationships: { comments: { data: [] } } }
    expect((await send('PATCH', '/users/3', data)).status).toBe(200)
    expect([before > 0, await servers.db.comment.count({ where: { authorId: 3 } })]).toEqual([true, before])
  })

  test.each(['posts', 'posts.tags', 'comments.author.posts'])(
    'that cannot be included are no part of the path %s',
    async (include) => {
      expectErrors(
        await ask('/users/3', { include }),
        badParameter('include', `Include path ${include} is not allowed.`),
      )
    },
  )

  test('that cannot be included can be read by themselves', async () => {
    expect((await ask('/users/3/posts')).status).toBe(200)
  })
})

describe('what a resource says of its relations', () => {
  const tagsOf = async (id: number) =>
    (await servers.db.tag.findMany({ where: { posts: { some: { id } } }, orderBy: { id: 'asc' } })).map((tag) =>
      identifier('tags', tag.id),
    )

  test('is linkage without being asked, no links, or nothing', async () => {
    const query = { include: '', 'fields[posts]': 'tags,author,comments' }
    const relationships = { tags: { ...links('/posts/1', 'tags'), data: await tagsOf(1) } }
    const data = { ...identifier('posts', 1), relationships, links: { self: url('/posts/1') } }
    const document = { jsonapi, links: { self: url('/posts/1', query) }, data, included: [] }
    expectAnswer(await ask('/posts/1', query), 200, document)
  })

  test('is what is left without links', async () => {
    const { body } = await ask('/posts/1', {
      include: 'author',
      withCount: 'comments',
      'fields[posts]': 'author,comments',
    })
    const { authorId, _count } = await servers.db.post.findUniqueOrThrow({
      where: { id: 1 },
      include: { _count: true },
    })
    expect(body.data.relationships).toEqual({
      author: { data: identifier('users', authorId) },
      comments: { meta: { count: _count.comments } },
    })
  })

  test('has no links where resources have none', async () => {
    const query = { include: 'posts', 'fields[posts]': '' }
    const { body } = await ask('/tags/2', query)
    const posts = await servers.db.post.findMany({ where: { tags: { some: { id: 2 } } }, orderBy: { id: 'desc' } })
    const data = {
      ...identifier('tags', 2),
      attributes: { name: 'tag-2' },
      relationships: { posts: { data: posts.map(({ id }) => identifier('posts', id)) } },
    }
    expect({ data: body.data, links: body.links }).toEqual({ data, links: { self: url('/tags/2', query) } })
    expect(body.included[0]).toEqual({
      ...identifier('posts', posts[0]?.id as number),
      links: { self: url(`/posts/${posts[0]?.id}`) },
    })
  })

  test('is shown of every page by one query', async () => {
    // A total is counted again whenever any transaction of the database server has ended, another test's included.
    const count = async (size: number) => {
      const queries = await servers.queriesOf(() => ask('/posts', { include: '', 'page[size]': size }))
      return queries.filter((sql) => !/\bcount\(/i.test(sql)).length
    }
    expect(await count(50)).toBe(await count(2))
  })
})

describe('what is sent when nothing is asked for', () => {
  test('is the default order and the default includes', async () => {
    const { body } = await ask('/posts', { 'page[size]': 2, 'fields[posts]': 'author', 'fields[users]': '' })
    const rows = await servers.db.post.findMany({ orderBy: { id: 'desc' }, take: 2 })
    expect(body.data).toEqual(
      rows.map(({ id, authorId }) => ({
        ...identifier('posts', id),
        relationships: { author: { data: identifier('users', authorId) } },
        links: { self: url(`/posts/${id}`) },
      })),
    )
    expect(body.included).toEqual(
      rows.map(({ authorId: id }) => ({ ...identifier('users', id), links: { self: url(`/users/${id}`) } })),
    )
    expect(body.links.next).toContain('sort=-id')
  })

  test('is neither once something is', async () => {
    const { body } = await ask('/posts', { 'page[size]': 1, include: '', sort: 'id' })
    expect([body.data[0].id, body.included]).toEqual(['1', []])
    expect((await ask('/posts/1', { include: 'tags' })).body.included[0].type).toBe('tags')
  })
})
