import { Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { describe, test } from 'vitest'
import { expectPage, noComment, type ShownPage } from '../../support/bare-comments.ts'
import { openServer, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Which links a page has, and what its meta says, at every place of a collection that is paged by cursor.

class Newest extends Schema<'Comment'> {
  override pagination() {
    return new CursorPagination()
  }
}
class Oldest extends Schema<'Comment'> {
  override pagination() {
    return new CursorPagination().withAscending()
  }
}
class ById extends Schema<'Comment'> {
  override pagination() {
    return new CursorPagination().withCursorColumn('id')
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: Object.entries({ Newest, Oldest, ById }).map(([name, Comment]) =>
    openServer(name.toLowerCase(), { Comment }),
  ),
}))

describe('beside a resource', () => {
  const limit = (n: number, query: Query = {}): Query => ({ ...query, 'page[limit]': n })
  const after = (id: number, n: number) => limit(n, { 'page[after]': id })
  const before = (id: number, n: number) => limit(n, { 'page[before]': id })
  const page = (from: number | null, to: number | null, hasMore: boolean) => ({
    page: { from: from && String(from), to: to && String(to), hasMore, perPage: 4 },
  })

  test.each<[string, string, ShownPage]>([
    [
      'the first page, newest first',
      'newest',
      {
        asked: limit(4),
        data: [200, 197],
        meta: page(200, 197, true),
        sides: { first: limit(4), next: after(197, 4) },
      },
    ],
    [
      'the page before the fifth: all that precedes, and no more',
      'newest',
      {
        asked: before(196, 4),
        data: [200, 197],
        meta: page(200, 197, false),
        sides: { first: limit(4), next: after(197, 4) },
      },
    ],
    [
      'a page before that is not full',
      'newest',
      {
        asked: before(198, 4),
        data: [200, 199],
        meta: page(200, 199, false),
        sides: { first: limit(4), next: after(199, 4) },
      },
    ],
    [
      'before in the middle: the nearest, in the normal order',
      'newest',
      {
        asked: before(100, 4),
        data: [104, 101],
        meta: page(104, 101, true),
        sides: { first: limit(4), prev: before(104, 4), next: after(101, 4) },
      },
    ],
    [
      'the last page, exactly full',
      'newest',
      {
        asked: after(5, 4),
        data: [4, 1],
        meta: page(4, 1, false),
        sides: { first: limit(4), prev: before(4, 4) },
      },
    ],
    [
      'after the last resource: an empty page',
      'newest',
      { asked: after(1, 4), meta: page(null, null, false), sides: { first: limit(4) } },
    ],
    [
      'before the first resource: an empty page',
      'newest',
      { asked: before(200, 4), meta: page(null, null, false), sides: { first: limit(4) } },
    ],
    [
      'nothing in the collection',
      'newest',
      { asked: limit(4), filter: noComment, meta: page(null, null, false), sides: { first: limit(4) } },
    ],
    [
      'oldest first',
      'oldest',
      {
        asked: after(4, 4),
        data: [5, 8],
        meta: page(5, 8, true),
        sides: { first: limit(4), prev: before(5, 4), next: after(8, 4) },
      },
    ],
    [
      'oldest first, before',
      'oldest',
      {
        asked: before(4, 4),
        data: [1, 3],
        meta: page(1, 3, false),
        sides: { first: limit(4), next: after(3, 4) },
      },
    ],
    [
      'in the order of the id alone',
      'byid',
      {
        asked: after(150, 4),
        data: [149, 146],
        meta: page(149, 146, true),
        sides: { first: limit(4), prev: before(149, 4), next: after(146, 4) },
      },
    ],
  ])('%s', async (_, server, shown) => expectPage(servers.as(null), server, shown))

  test('both sides at once: only before counts', async () => {
    const asked = { 'page[after]': 20, 'page[before]': 196, 'page[limit]': 4 }
    const sides = { first: limit(4), next: after(197, 4) }
    await expectPage(servers.as(null), 'newest', { asked, data: [200, 197], meta: page(200, 197, false), sides })
  })
})
