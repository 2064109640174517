import { integer, notSupported, PagePagination, page, ResourceCollectionQuery, Schema, string } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors } from '../../support/answers.ts'
import { bareComments } from '../../support/bare-comments.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// What the application's collection query classes say of `page` and `sort`.

class Counted extends Schema<'Comment'> {
  override pagination() {
    return new PagePagination()
  }
}
class Cursor extends Schema<'Comment'> {
  override pagination() {
    return new CursorPagination()
  }
}
class Unpaged extends Schema<'Comment'> {
  override pagination() {
    return null
  }
}
class Post extends Schema<'Post'> {}

class Required extends ResourceCollectionQuery<'Comment'> {
  override rules() {
    return {
      'page.number': integer().min(1).required(),
      'page.size': integer().min(1).max(50).required(),
    }
  }
}
class RequiredLimit extends ResourceCollectionQuery<'Comment'> {
  override rules() {
    const limit = integer().min(1).max(200)
    return {
      page: page(),
      'page.limit': this.isNotRelationship() ? limit.required() : limit,
      'page.after': string(),
      'page.before': string(),
      sort: notSupported(),
    }
  }
}
class Disallowed extends ResourceCollectionQuery<'Comment'> {
  override rules() {
    return { page: notSupported(), sort: notSupported() }
  }
}

const parts = {
  required: { Comment: Counted, query: Required },
  cursor: { Comment: Cursor, query: RequiredLimit },
  bare: { Comment: Cursor, query: null },
  disallowed: { Comment: Unpaged, query: Disallowed },
  refused: { Comment: Unpaged, query: null },
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: Object.entries(parts).map(([name, { Comment, query }]) =>
    openServer(name, { Comment, Post }, { requests: { Comment: { collectionQuery: query } } }),
  ),
}))

const get = (server: string, asked: Query = {}, path = '/comments') =>
  servers.as(null)('GET', pathOf(server, path, asked))

const missing = (key: string) => badParameter(`page[${key}]`, `The page.${key} field is required.`)

describe('required page parameters', () => {
  test('a request without any is told of each', async () => {
    expectErrors(await get('required'), missing('number'), missing('size'))
  })

  test('a request with one of them is told of the other', async () => {
    expectErrors(await get('required', { 'page[size]': 10 }), missing('number'))
  })

  test('an empty one is refused', async () => {
    const { status, body } = await get('required', { 'page[number]': '', 'page[size]': 10 })
    const sources = body.errors.map(({ source }: { source: object }) => source)
    expect({ status, sources: [...new Set(sources.map((source: object) => JSON.stringify(source)))] }).toEqual({
      status: 400,
      sources: ['{"parameter":"page[number]"}'],
    })
  })

  test('a request with all of them is answered', async () => {
    const { status, body } = await get('required', { 'page[number]': 2, 'page[size]': 50 })
    expect({ status, meta: body.meta }).toEqual({
      status: 200,
      meta: { page: { currentPage: 2, from: 51, lastPage: 4, perPage: 50, to: 100, total: 200 } },
    })
  })

  test('a size out of the application’s range is refused in its words', async () => {
    expectErrors(
      await get('required', { 'page[number]': 1, 'page[size]': 51 }),
      badParameter('page[size]', 'The page.size field must not be greater than 50.'),
    )
  })

  test.each(['/posts/1/comments', '/posts/1/relationships/comments'])('%s requires them as well', async (path) => {
    expectErrors(await get('required', {}, path), missing('number'), missing('size'))
    expect((await get('required', { 'page[number]': 1, 'page[size]': 5 }, path)).status).toBe(200)
  })
})

describe('required where isNotRelationship()', () => {
  test('the collection requires the limit', async () => {
    expectErrors(await get('cursor'), missing('limit'))
    expectErrors(await get('cursor', { 'page[after]': 5 }), missing('limit'))
  })

  test('with the limit it is answered, whole', async () => {
    const document = pageDocument('cursor', '/comments', {
      asked: { 'page[limit]': 2 },
      data: bareComments('cursor', 200, 199).map((comment) => ({ ...comment, relationships: expect.anything() })),
      meta: { page: { from: '200', to: '199', hasMore: true, perPage: 2 } },
      sides: { first: { 'page[limit]': 2 }, next: { 'page[after]': 199, 'page[limit]': 2 } },
    })
    expectAnswer(await get('cursor', { 'page[limit]': 2 }), 200, document)
  })

  test.each(['/posts/1/comments', '/posts/1/relationships/comments'])('%s does not', async (path) => {
    const { status, body } = await get('cursor', {}, path)
    expect({ status, meta: body.meta }).toEqual({ status: 200, meta: undefined })
    expectErrors(
      await get('cursor', { 'page[limit]': 201 }, path),
      badParameter('page[limit]', 'The page.limit field must not be greater than 200.'),
    )
  })
})

describe('page is not supported', () => {
  test.each([
    ['by the schema and the query class together', 'disallowed'],
    ['by the schema alone', 'refused'],
  ])('%s: 400, once, whatever the key', async (_, server) => {
    const refused = badParameter('page', 'Parameter page is not allowed.')
    expectErrors(await get(server, { 'page[number]': 1 }), refused)
    expectErrors(await get(server, { 'page[number]': 0, 'page[size]': 'x', 'page[foo]': 1 }), refused)
    expectErrors(await get(server, { 'page[limit]': 1 }, '/posts/1/comments'), refused)
  })

  test.each(['disallowed', 'refused'])('the collection of %s is whole, without page meta and links', async (server) => {
    const data = bareComments(server, 1, 200).map((comment) => ({ ...comment, relationships: expect.anything() }))
    expectAnswer(await get(server), 200, pageDocument(server, '/comments', { data }))
  })
})

describe('sort beside a cursor', () => {
  const refused = (field: string) => badParameter('sort', `Sort parameter ${field} is not allowed.`)

  test.each(['/comments', '/posts/1/comments', '/posts/1/relationships/comments'])('%s: 400', async (path) => {
    expectErrors(await get('bare', { sort: '-createdAt' }, path), refused('createdAt'))
    expectErrors(await get('bare', { sort: 'content,-id', 'page[limit]': 2 }, path), refused('content'), refused('id'))
  })

  test('notSupported() says so in words of its own', async () => {
    const answer = await get('cursor', { sort: '-createdAt', 'page[limit]': 2 })
    expectErrors(answer, refused('createdAt'), badParameter('sort', 'Parameter sort is not allowed.'))
  })

  test('notSupported() for a type without a cursor', async () => {
    expectErrors(await get('disallowed', { sort: 'id' }), badParameter('sort', 'Parameter sort is not allowed.'))
  })
})
