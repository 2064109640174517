import { Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { describe, expect, test } from 'vitest'
import { expectAnswer } from '../../support/answers.ts'
import { bare, identifiers, page, parentOf, walk } from '../../support/included-collections.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Nobody gets more of an included collection than a page of its type may have.

class User extends Schema<'User'> {}
class AlwaysUser extends Schema<'User'> {
  override fields() {
    return [this.relation('comments').alwaysShowData()]
  }
}
class LinklessUser extends Schema<'User'> {
  override fields() {
    return [this.relation('comments').withoutLinks()]
  }
}
class Comment extends Schema<'Comment'> {
  override maxPageSize = 4
}
class Cursored extends Comment {
  override pagination() {
    return new CursorPagination()
  }
}
class Whole extends Comment {
  override pagination() {
    return null
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('numbers', { User, Comment }),
    openServer('cursors', { User, Comment: Cursored }),
    openServer('whole', { User, Comment: Whole }),
    openServer('always', { User: AlwaysUser, Comment }),
    openServer('linkless', { User: LinklessUser, Comment }),
    openServer('small', { User, Comment: class extends Schema<'Comment'> {} }, { limits: { maxPageSize: 5 } }),
  ],
}))

const get = (server: string, path: string, asked: Query) => servers.as(null)('GET', pathOf(server, path, asked))
const comments = { include: 'comments', 'fields[comments]': '', 'fields[users]': 'comments' }

test.each<[string, readonly number[], Query | null]>([
  ['numbers', [2, 10, 18, 26], { 'page[number]': 2, 'page[size]': 4 }],
  ['cursors', [194, 186, 178, 170], { 'page[after]': 170, 'page[limit]': 4 }],
  ['whole', [2, 10, 18, 26], null],
])('%s: the largest page of the type is shown, and it is told that there is more', async (server, ids, next) => {
  const data = parentOf('users', 5, {
    server,
    relation: 'comments',
    data: identifiers('comments', ids),
    ...(next && { next }),
    meta: page(4, true),
  })
  const document = pageDocument(server, '/users/5', { asked: comments, data: data as never })
  expectAnswer(await get(server, '/users/5', comments), 200, { ...document, included: bare(server, 'comments', ids) })
})

test('the limit of the server is one, too', async () => {
  const { body } = await get('small', '/users/5', comments)
  const { data, meta } = body.data.relationships.comments
  expect([data.length, meta]).toEqual([5, page(5, true)])
})

test.each(['numbers', 'cursors', 'small'])('%s: next leads to all the others', async (server) => {
  const { body } = await get(server, '/users/5', comments)
  const ids = await walk(servers.as(null), body.data.relationships.comments)
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, index) => 2 + 8 * index))
})

test('what has no more than the largest page is whole, and nothing is told of a page', async () => {
  const asked = { ...comments, 'includeFilter[comments][id][lte]': 26 }
  const { comments: shown } = (await get('numbers', '/users/5', asked)).body.data.relationships
  expect([shown.data.length, Object.keys(shown)]).toEqual([4, ['links', 'data']])
})

test('linkage that is always shown ends there, too', async () => {
  const data = parentOf('users', 5, {
    server: 'always',
    relation: 'comments',
    data: identifiers('comments', [2, 10, 18, 26]),
    next: { 'page[number]': 2, 'page[size]': 4 },
    meta: page(4, true),
  })
  const asked = { 'fields[users]': 'comments' }
  expectAnswer(
    await get('always', '/users/5', asked),
    200,
    pageDocument('always', '/users/5', { asked, data: data as never }),
  )
})

test('a relation without links tells it in its meta alone', async () => {
  const { body } = await get('linkless', '/users/5', comments)
  const data = identifiers('comments', [2, 10, 18, 26])
  expect(body.data.relationships).toEqual({ comments: { data, meta: page(4, true) } })
})

describe('as many queries are issued for eight parents as for one', () => {
  const queriesOf = async (size: number, asked: Query) => {
    const queries = await servers.queriesOf(async () => {
      const query = { sort: '-id', 'page[size]': size, ...comments, 'includePage[comments][size]': 3, ...asked }
      const { body } = await get('numbers', '/users', query)
      const shown = body.data.map((user: never) => (user as typeof body).relationships.comments.data.length)
      expect(shown).toEqual(Array(size).fill(asked['includeFilter[comments][id][lte]'] ? 2 : 3))
    })
    // The total may be known from a request before.
    return queries.filter((sql) => !/^select count\(\*\) /i.test(sql)).length
  }

  test.each<[string, Query]>([
    ['where every collection goes on', {}],
    ['where none does', { 'includeFilter[comments][id][lte]': 16 }],
  ])('%s', async (_, asked) => {
    expect(await queriesOf(8, asked)).toBe(await queriesOf(1, asked))
  })
})
