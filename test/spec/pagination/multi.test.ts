import { PagePagination, Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { MultiPagination } from 'prismapi/pagination'
import { describe, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors } from '../../support/answers.ts'
import { bareComments } from '../../support/bare-comments.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// One type, several strategies: the keys that a request sends choose.

class Comment extends Schema<'Comment'> {
  override defaultPagination = { number: 1, size: 2 }

  override pagination() {
    return new MultiPagination([
      new PagePagination().withMetaKey('paging'),
      new CursorPagination().withDashCaseMeta().withDefaultPerPage(3),
    ])
  }
}

const servers = useServers(() => ({ policies: new Map(), servers: [openServer('multi', { Comment })] }))

const get = (asked: Query = {}) => servers.as(null)('GET', pathOf('multi', '/comments', asked))

const byNumber = (n: number): Query => ({ 'page[number]': n, 'page[size]': 2 })

describe('the keys choose', () => {
  test('without any: the default, whose strategy is by number', async () => {
    const document = pageDocument('multi', '/comments', {
      data: bareComments('multi', 1, 2),
      meta: { paging: { currentPage: 1, from: 1, lastPage: 100, perPage: 2, to: 2, total: 200 } },
      sides: { first: byNumber(1), next: byNumber(2), last: byNumber(100) },
    })
    expectAnswer(await get(), 200, document)
  })

  test('number and size: by number, and the client’s sort is honoured', async () => {
    const asked = { ...byNumber(2), sort: '-id' }
    const side = (n: number): Query => ({ ...byNumber(n), sort: '-id' })
    const document = pageDocument('multi', '/comments', {
      asked,
      data: bareComments('multi', 198, 197),
      meta: { paging: { currentPage: 2, from: 3, lastPage: 100, perPage: 2, to: 4, total: 200 } },
      sides: { first: side(1), prev: side(1), next: side(3), last: side(100) },
    })
    expectAnswer(await get(asked), 200, document)
  })

  test.each<[string, Query, number, Query]>([
    ['a limit', { 'page[limit]': 2 }, 2, {}],
    ['a cursor', { 'page[after]': 201 - 1 }, 3, { prev: 1 }],
    ['a cursor and a limit', { 'page[after]': 200, 'page[limit]': 5 }, 5, { prev: 1 }],
  ])('%s: by cursor', async (_, asked, size, { prev }) => {
    const top = prev ? 199 : 200
    const [from, to] = [top, top - size + 1]
    const document = pageDocument('multi', '/comments', {
      asked,
      data: bareComments('multi', from, to),
      meta: { page: { from: String(from), to: String(to), 'has-more': true, 'per-page': size } },
      sides: {
        first: { 'page[limit]': size },
        ...(prev && { prev: { 'page[before]': from, 'page[limit]': size } }),
        next: { 'page[after]': to, 'page[limit]': size },
      },
    })
    expectAnswer(await get(asked), 200, document)
  })
})

describe('what is refused', () => {
  test.each<[string, Query, ReturnType<typeof badParameter>[]]>([
    [
      'keys that no strategy has together',
      { 'page[number]': 1, 'page[size]': 2, 'page[after]': 5 },
      [badParameter('page[after]', 'Page parameter after is not allowed.')],
    ],
    [
      'a key that none has',
      { 'page[offset]': 3 },
      [badParameter('page[offset]', 'Page parameter offset is not allowed.')],
    ],
    ['a value that the chosen one cannot use', { 'page[limit]': 0 }, [badParameter('page[limit]')]],
    [
      'an order beside a cursor',
      { 'page[limit]': 2, sort: 'content' },
      [badParameter('sort', 'Sort parameter content is not allowed.')],
    ],
    ['a cursor that no comment has', { 'page[after]': 4711 }, [badParameter('page[after]')]],
  ])('%s', async (_, asked, errors) => expectErrors(await get(asked), ...errors))
})
