import { PagePagination, Schema } from 'prismapi'
import { CursorPagination, CursorProfilePagination } from 'prismapi/cursor-pagination'
import { MultiPagination } from 'prismapi/pagination'
import { describe, expect, test } from 'vitest'
import { expectAnswer } from '../../support/answers.ts'
import { bare, identifiers, page, parentOf, walk } from '../../support/included-collections.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// `includePage`, `includeSort` and `includeFilter` of relations whose foreign key lies at the other end.

class User extends Schema<'User'> {
  override pagination() {
    return null
  }
  override fields() {
    return [this.relation('comments').countable()]
  }
}
class Numbered extends Schema<'Comment'> {}
class Cursored extends Schema<'Comment'> {
  override pagination() {
    return new CursorPagination().withLimitKey('most')
  }
}
class Either extends Schema<'Comment'> {
  override defaultPagination = { limit: 2 }
  override pagination() {
    return new MultiPagination([new CursorPagination(), new PagePagination().withPerPageKey('of')])
  }
}
class Cursors extends Schema<'Comment'> {
  override pagination() {
    return new MultiPagination([new CursorPagination().withAscending().withSnakeCaseMeta(), new CursorPagination()])
  }
}
class Mixed extends Schema<'Comment'> {
  override pagination() {
    return new MultiPagination([new CursorProfilePagination(), new PagePagination()])
  }
}
class Whole extends Schema<'Comment'> {
  override pagination() {
    return null
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('numbers', { User, Comment: Numbered }),
    openServer('cursors', { User, Comment: Cursored }),
    openServer('either', { User, Comment: Either }),
    openServer('multi', { User, Comment: Cursors }),
    openServer('mixed', { User, Comment: Mixed }),
    openServer('whole', { User, Comment: Whole }),
  ],
}))

const get = (server: string, path: string, asked: Query) => servers.as(null)('GET', pathOf(server, path, asked))

// Comment n is by user 3 + (n mod 8): those of user 5 are 2, 10, 18 … 194, and those of user 6 are 3, 11, 19 … 195.
const commentsOf = (user: number) => Array.from({ length: 25 }, (_, index) => user - 3 + 8 * index)
const newestOf = (user: number) => commentsOf(user).reverse()

const comments = { include: 'comments', 'fields[comments]': '', 'fields[users]': 'comments' }
const sized = (size: number) => ({ 'includePage[comments][size]': size })

/** The document of user 5 of which the comments are shown. */
function userDocument(server: string, asked: Query, ids: readonly number[], more: { next?: Query; meta?: object }) {
  const data = identifiers('comments', ids)
  const user = parentOf('users', 5, { server, relation: 'comments', data, ...more })
  const document = pageDocument(server, '/users/5', { asked, data: user as never })
  return { ...document, included: bare(server, 'comments', ids) }
}

describe('the comments of a user', () => {
  test('are a page that the relationship’s own URL goes on from', async () => {
    const asked = { ...comments, ...sized(3) }
    const document = userDocument('numbers', asked, [2, 10, 18], {
      next: { 'page[number]': 2, 'page[size]': 3 },
      meta: page(3, true),
    })
    expectAnswer(await get('numbers', '/users/5', asked), 200, document)
  })

  test('are ordered and filtered, and the link keeps both', async () => {
    const asked = {
      ...comments,
      ...sized(2),
      'includeSort[comments]': '-createdAt',
      'includeFilter[comments][content][contains]': '5',
    }
    // Of those of user 5, these have a 5 in their content: 154 … 50, 58.
    const document = userDocument('numbers', asked, [154, 58], {
      next: { 'filter[content][contains]': '5', 'page[number]': 2, 'page[size]': 2, sort: '-createdAt' },
      meta: page(2, true),
    })
    expectAnswer(await get('numbers', '/users/5', asked), 200, document)
  })

  test('say that they are all there are when they are, and have no link', async () => {
    const asked = { ...comments, ...sized(3), 'includeFilter[comments][id][in]': '10,18,26' }
    const document = userDocument('numbers', asked, [10, 18, 26], { meta: page(3, false) })
    expectAnswer(await get('numbers', '/users/5', asked), 200, document)
  })

  test('say nothing of a page that nobody asked for', async () => {
    const asked = { ...comments, 'includeFilter[comments][id]': '10', 'includeSort[comments]': 'id' }
    expectAnswer(await get('numbers', '/users/5', asked), 200, userDocument('numbers', asked, [10], {}))
  })

  test('may be none', async () => {
    const asked = { ...comments, ...sized(1), 'includeFilter[comments][id]': '1' }
    expectAnswer(
      await get('numbers', '/users/5', asked),
      200,
      userDocument('numbers', asked, [], { meta: page(1, false) }),
    )
  })

  test('go on behind a cursor, under the names that the type gives its page parameters', async () => {
    const asked = { ...comments, ...sized(3) }
    const document = userDocument('cursors', asked, [194, 186, 178], {
      next: { 'page[after]': 178, 'page[most]': 3 },
      meta: page(3, true),
    })
    expectAnswer(await get('cursors', '/users/5', asked), 200, document)
  })

  test('go on by number where the type has both kinds of pages, since that keeps the order', async () => {
    const asked = { ...comments, ...sized(2), 'includeSort[comments]': 'content' }
    const document = userDocument('either', asked, [10, 106], {
      next: { 'page[number]': 2, 'page[of]': 2, sort: 'content' },
      meta: page(2, true),
    })
    expectAnswer(await get('either', '/users/5', asked), 200, document)
  })

  test('have the order and the spelling of the first kind where all kinds have their own', async () => {
    const asked = { ...comments, ...sized(2) }
    const document = userDocument('multi', asked, [2, 10], {
      next: { 'page[after]': 10, 'page[limit]': 2 },
      meta: { page: { has_more: true, per_page: 2 } },
    })
    expectAnswer(await get('multi', '/users/5', asked), 200, document)
  })

  test('go on in the way that can, where cursors cannot be made of the order', async () => {
    const asked = { ...comments, ...sized(2), 'includeSort[comments]': 'author.name' }
    const next = { 'page[number]': 2, 'page[size]': 2, sort: 'author.name' }
    const document = userDocument('mixed', asked, [2, 10], { next, meta: page(2, true) })
    expectAnswer(await get('mixed', '/users/5', asked), 200, document)
  })

  test('have no link where the type has no pages: their URL shows all', async () => {
    const asked = { ...comments, ...sized(2) }
    expectAnswer(
      await get('whole', '/users/5', asked),
      200,
      userDocument('whole', asked, [2, 10], { meta: page(2, true) }),
    )
  })

  test('are counted apart from their page', async () => {
    const asked = { ...comments, ...sized(2), withCount: 'comments', 'includeFilter[comments][id][gt]': 180 }
    const document = userDocument('numbers', asked, [186, 194], { meta: { ...page(2, false), count: 25 } })
    expectAnswer(await get('numbers', '/users/5', asked), 200, document)
  })
})

test('every user of a collection has a page of its own', async () => {
  const asked = { ...comments, ...sized(2), sort: 'id', 'filter[id]': '2,5,6' }
  const kept = { 'page[number]': 2, 'page[size]': 2 }
  const shown = (ids: readonly number[], more: object) => ({
    server: 'numbers',
    relation: 'comments',
    data: identifiers('comments', ids),
    ...more,
  })
  const document = pageDocument('numbers', '/users', {
    asked: Object.fromEntries(Object.entries(asked).sort()),
    data: [
      parentOf('users', 2, shown([], { meta: page(2, false) })),
      parentOf('users', 5, shown([2, 10], { meta: page(2, true), next: kept })),
      parentOf('users', 6, shown([3, 11], { meta: page(2, true), next: kept })),
    ],
  })
  const included = bare('numbers', 'comments', [2, 10, 3, 11])
  expectAnswer(await get('numbers', '/users', asked), 200, { ...document, included })
})

describe('whoever follows next meets every comment once, in order', () => {
  const walks: [string, Query, readonly number[]][] = [
    ['numbers', {}, commentsOf(5)],
    ['numbers', { 'includeSort[comments]': '-createdAt' }, newestOf(5)],
    ['numbers', { 'includeFilter[comments][id][gt]': 100 }, commentsOf(5).filter((id) => id > 100)],
    ['cursors', {}, newestOf(5)],
    ['cursors', { 'includeFilter[comments][id][gt]': 100 }, newestOf(5).filter((id) => id > 100)],
    ['either', { 'includeSort[comments]': '-id' }, newestOf(5)],
    ['either', {}, commentsOf(5)],
    ['multi', {}, commentsOf(5)],
    ['mixed', { 'includeSort[comments]': '-createdAt' }, newestOf(5)],
    ['mixed', { 'includeSort[comments]': 'author.name' }, commentsOf(5)],
  ]
  test.each(walks)('%s %o', async (server, asked, ids) => {
    for (const size of [1, 4, 5, 24, 25, 26]) {
      const { body } = await get(server, '/users/5', { ...comments, ...sized(size), ...asked })
      const { comments: shown } = body.data.relationships
      expect(shown.data).toHaveLength(Math.min(size, ids.length))
      expect(await walk(servers.as(null), shown)).toEqual(ids)
    }
  })
})

test('without any of the parameters a document is what it was', async () => {
  expectAnswer(await get('numbers', '/users/5', comments), 200, userDocument('numbers', comments, commentsOf(5), {}))
})

test('the links of a collection keep the parameters', async () => {
  const asked = {
    include: 'author.comments',
    'includeFilter[author.comments][id][gt]': 100,
    'includePage[author.comments][size]': 2,
    'includeSort[author.comments]': 'id',
    'page[size]': 1,
  }
  const { body } = await get('numbers', '/comments', asked)
  const next = new URL(body.links.next).searchParams
  expect(Object.fromEntries(next)).toEqual({
    ...Object.fromEntries(Object.entries(asked).map(([key, value]) => [key, String(value)])),
    'page[number]': '2',
  })
})
