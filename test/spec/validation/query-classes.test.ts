import {
  boolean,
  integer,
  notSupported,
  PagePagination,
  ResourceCollectionQuery,
  ResourceQuery,
  Schema,
  string,
} from 'prismapi'
import { describe, expect, test } from 'vitest'
import { badParameter, expectErrors } from '../../support/answers.ts'
import { openServer, pathOf, type Query } from '../../support/open-server.ts'
import { identifier } from '../../support/row-documents.ts'
import { useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

class PostSchema extends Schema<'Post'> {
  override pagination() {
    return new PagePagination()
  }
}

class PostsQuery extends ResourceCollectionQuery<'Post'> {
  override rules() {
    return {
      'page.size': this.isNotRelationship() ? integer().max(10).required() : integer().max(20),
      sort: string().oneOf(['title', '-title'], 'Sort by title.'),
      'filter.title.contains': string().min(3),
      'filter.slug': notSupported(),
      'filter.author.id': integer().max(9),
      'filter.synopsis.isNull': boolean().isFalse('Only posts that have one.'),
      include: string().notOneOf(['comments.author'], 'Not at once.'),
      'fields.posts': string().matches(/title/, 'A title, at least.'),
    }
  }
  override messages() {
    return { 'page.size.max': 'At most :max, please.' }
  }
  override attributes() {
    return { 'filter.author.id': 'number of the author' }
  }
}

class PostQuery extends ResourceQuery<'Post'> {
  override rules() {
    return { include: this.isNotRelationship() ? string().notOneOf(['tags'], 'No tags.') : notSupported() }
  }
}

class UserQuery extends ResourceQuery<'User'> {
  override rules() {
    return { 'fields.users': this.isNotRelationship() ? notSupported() : string() }
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer(
      'own',
      { Post: PostSchema, Tag: Schema, User: Schema, Comment: Schema },
      { requests: { Post: { query: PostQuery, collectionQuery: PostsQuery }, User: { query: UserQuery } } },
    ),
  ],
}))

const ask = (method: string, path: string, query: Query, data?: unknown) =>
  servers.as(null)(method, pathOf('own', path, query), data === undefined ? {} : { body: { data } })
const get = (path: string, query: Query = {}) => ask('GET', path, query)
const sized: Query = { 'page[size]': 5 }

describe('a collection', () => {
  test('is answered when its query follows the rules', async () => {
    const query = {
      ...sized,
      sort: '-title',
      'filter[title][contains]': 'ost',
      'filter[author.id]': 4,
      'filter[synopsis][isNull]': 'false',
      include: 'author',
      'fields[posts]': 'title,author',
    }
    const { status, body } = await get('/posts', query)
    expect({ status, perPage: body.meta.page.perPage }).toEqual({ status: 200, perPage: 5 })
    expect(body.data.length).toBeGreaterThan(0)
    for (const { attributes } of body.data) expect(Object.keys(attributes)).toEqual(['title'])
  })

  test.each([
    ['sort', 'content', 'Sort by title.'],
    ['filter[title][contains]', 'po', 'The filter.title.contains field must be at least 3 characters.'],
    ['filter[slug]', 'post-1', 'Parameter filter[slug] is not allowed.'],
    ['filter[author.id]', '10', 'The number of the author field must not be greater than 9.'],
    ['filter[author][id]', '10', 'The number of the author field must not be greater than 9.'],
    ['filter[author.id]', 'x', 'The number of the author field must be an integer.'],
    ['filter[synopsis][isNull]', 'true', 'Only posts that have one.'],
    ['include', 'comments.author', 'Not at once.'],
    ['fields[posts]', 'slug', 'A title, at least.'],
    ['page[size]', '11', 'At most 10, please.'],
  ])('whose %s is %s is refused at that parameter', async (parameter, value, detail) => {
    const { status, body } = await get('/posts', { ...sized, [parameter]: value })
    expect(status).toBe(400)
    expect(body.errors).toContainEqual(badParameter(parameter, detail))
    expect(new Set(body.errors.map(({ source }: { source: { parameter: string } }) => source.parameter))).toEqual(
      new Set([parameter]),
    )
  })

  test('is told of every fault at once, the schema’s own among them', async () => {
    const { status, body } = await get('/posts', { sort: 'nothing', include: 'bogus', 'filter[slug]': 'x' })
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(5)
    expect(body.errors).toEqual(
      expect.arrayContaining([
        badParameter('sort', 'Sort parameter nothing is not allowed.'),
        badParameter('sort', 'Sort by title.'),
        badParameter('include', 'Include path bogus is not allowed.'),
        badParameter('filter[slug]', 'Parameter filter[slug] is not allowed.'),
        badParameter('page[size]', 'The page.size field is required.'),
      ]),
    )
  })

  test.each(['/tags/2/posts', '/tags/2/relationships/posts', '/users/3/posts'])(
    '%s is held to the rules as well, but for those of isNotRelationship()',
    async (path) => {
      expect((await get(path)).status).toBe(200)
      expect((await get(path, { 'page[size]': 20 })).status).toBe(200)
      expectErrors(await get(path, { 'page[size]': 21 }), badParameter('page[size]', 'At most 20, please.'))
      expectErrors(await get(path, { sort: 'slug' }), badParameter('sort', 'Sort by title.'))
    },
  )

  test('of another type is held to none of them', async () => {
    expect((await get('/tags', { sort: 'name', 'page[size]': 50 })).status).toBe(200)
  })
})

describe('one resource', () => {
  const noTags = badParameter('include', 'No tags.')

  test('is held to the rules of its own class, not to those of collections', async () => {
    expect((await get('/posts/1', { include: 'author' })).status).toBe(200)
    expect((await get('/posts/1', { include: 'comments.author' })).status).toBe(200)
    expectErrors(await get('/posts/1', { include: 'tags' }), noTags)
  })

  test('read through a to-one relation is held to the rules of isNotRelationship() false', async () => {
    const fields = { 'fields[users]': 'name' }
    const { status } = await get('/posts/1/author', fields)
    expect(status).toBe(200)
    expectErrors(
      await get('/users/3', fields),
      badParameter('fields[users]', 'Parameter fields[users] is not allowed.'),
    )
  })

  const attributes = { title: 'A post', slug: 'a-post', content: 'Text.' }
  const relationships = { author: { data: identifier('users', 3) } }

  test.each([
    ['POST', '/posts', { type: 'posts', attributes, relationships }],
    ['PATCH', '/posts/1', { type: 'posts', id: '1', attributes: { title: 'Another' } }],
    ['DELETE', '/posts/1', undefined],
  ])('is not written by %s %s with a query that its class refuses', async (method, path, data) => {
    const before = await snapshot(servers.db)
    const { status, body } = await ask(method, path, { include: 'tags' }, data)
    expect(status).toBe(400)
    expect(body.errors).toContainEqual(noTags)
    expect(await snapshot(servers.db)).toEqual(before)
  })

  test('is written with a query that its class accepts', async () => {
    const data = { type: 'posts', attributes, relationships }
    const { status, body } = await ask('POST', '/posts', { include: 'author' }, data)
    expect({ status, included: body.included.map(({ id }: { id: string }) => id) }).toEqual({
      status: 201,
      included: ['3'],
    })
  })
})
