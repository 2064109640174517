import { PagePagination, Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectAnswer } from '../../support/answers.ts'
import { bareComments, expectPage, noComment, type ShownPage } from '../../support/bare-comments.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Which links a page has, and what its meta says, at every place of a collection that is paged by number.

class Counted extends Schema<'Comment'> {
  override pagination() {
    return new PagePagination()
  }
}
class Simple extends Schema<'Comment'> {
  override pagination() {
    return new PagePagination().withSimplePagination()
  }
}
class InConstructor extends PagePagination {
  constructor() {
    super()
    this.withSnakeCaseMeta().withoutNestedMeta().withPageKey('no').withDefaultPerPage(50)
  }
}
class Configured extends Schema<'Comment'> {
  override pagination() {
    return new InConstructor()
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: Object.entries({ Counted, Simple, Configured }).map(([name, Comment]) =>
    openServer(name.toLowerCase(), { Comment }),
  ),
}))

const number = (n: number, size: number): Query => ({ 'page[number]': n, 'page[size]': size })
describe('by number, with a total', () => {
  const page = (currentPage: number, [from, to]: readonly [number, number], more: object = {}) => ({
    page: { currentPage, from, lastPage: 3, perPage: 80, to, total: 200, ...more },
  })

  test.each<[string, ShownPage]>([
    [
      'the first of several pages',
      {
        asked: number(1, 80),
        data: [1, 80],
        meta: page(1, [1, 80]),
        sides: { first: number(1, 80), next: number(2, 80), last: number(3, 80) },
      },
    ],
    [
      'the last page, which is shorter',
      {
        asked: number(3, 80),
        data: [161, 200],
        meta: page(3, [161, 200]),
        sides: { first: number(1, 80), prev: number(2, 80), last: number(3, 80) },
      },
    ],
    [
      'the last page of a collection that pages divide evenly',
      {
        asked: number(2, 100),
        data: [101, 200],
        meta: page(2, [101, 200], { lastPage: 2, perPage: 100 }),
        sides: { first: number(1, 100), prev: number(1, 100), last: number(2, 100) },
      },
    ],
    [
      'the only page',
      {
        asked: number(1, 200),
        data: [1, 200],
        meta: page(1, [1, 200], { lastPage: 1, perPage: 200 }),
        sides: { first: number(1, 200), last: number(1, 200) },
      },
    ],
    [
      'the page after the last one: empty, and the way back leads to the page before it',
      {
        asked: number(4, 80),
        meta: page(4, [0, 0]),
        sides: { first: number(1, 80), prev: number(3, 80), last: number(3, 80) },
      },
    ],
    [
      'a page far beyond the last one: empty, and the way back leads to the page before it',
      {
        asked: number(9, 80),
        meta: page(9, [0, 0]),
        sides: { first: number(1, 80), prev: number(8, 80), last: number(3, 80) },
      },
    ],
    [
      'nothing in the collection',
      {
        asked: number(1, 80),
        filter: noComment,
        meta: page(1, [0, 0], { lastPage: 1, total: 0 }),
        sides: { first: number(1, 80), last: number(1, 80) },
      },
    ],
  ])('%s', async (_, shown) => expectPage(servers.as(null), 'counted', shown))
})

describe('by number, simple', () => {
  const page = (currentPage: number, [from, to]: readonly [number, number], perPage = 80) => ({
    page: { currentPage, from, perPage, to },
  })

  test.each<[string, ShownPage]>([
    [
      'the first of several pages',
      {
        asked: number(1, 80),
        data: [1, 80],
        meta: page(1, [1, 80]),
        sides: { first: number(1, 80), next: number(2, 80) },
      },
    ],
    [
      'the last page',
      {
        asked: number(3, 80),
        data: [161, 200],
        meta: page(3, [161, 200]),
        sides: { first: number(1, 80), prev: number(2, 80) },
      },
    ],
    [
      'the last page of a collection that pages divide evenly',
      {
        asked: number(2, 100),
        data: [101, 200],
        meta: page(2, [101, 200], 100),
        sides: { first: number(1, 100), prev: number(1, 100) },
      },
    ],
    [
      'a page beyond the last one',
      { asked: number(9, 80), meta: page(9, [0, 0]), sides: { first: number(1, 80), prev: number(8, 80) } },
    ],
    [
      'nothing in the collection',
      { asked: number(1, 80), filter: noComment, meta: page(1, [0, 0]), sides: { first: number(1, 80) } },
    ],
  ])('%s', async (_, shown) => expectPage(servers.as(null), 'simple', shown))
})

test('a class of the application that configures itself in its constructor', async () => {
  const asked = { 'page[no]': 4 }
  const side = (n: number): Query => ({ 'page[no]': n, 'page[size]': 50 })
  await expectPage(servers.as(null), 'configured', {
    asked,
    data: [151, 200],
    meta: { current_page: 4, from: 151, last_page: 4, per_page: 50, to: 200, total: 200 },
    sides: { first: side(1), prev: side(3), last: side(4) },
  })
})

test('links keep every other parameter, sorted by key, and name the order', async () => {
  const asked = {
    'page[size]': 2,
    sort: '-createdAt',
    'filter[id][lt]': 9,
    'fields[comments]': 'content',
    include: '',
    'page[number]': 2,
  }
  const kept = { 'fields[comments]': 'content', 'filter[id][lt]': 9, include: '' }
  const side = (n: number): Query => ({ ...kept, ...number(n, 2), sort: '-createdAt' })
  const data = bareComments('counted', 6, 5).map(({ attributes: { content }, ...rest }) => ({
    ...rest,
    attributes: { content },
  }))
  const document = pageDocument('counted', '/comments', {
    asked,
    data,
    meta: { page: { currentPage: 2, from: 3, lastPage: 4, perPage: 2, to: 4, total: 8 } },
    sides: { first: side(1), prev: side(1), next: side(3), last: side(4) },
  })
  const answer = await servers.as(null)('GET', pathOf('counted', '/comments', asked))
  expectAnswer(answer, 200, { ...document, included: [] })
})

test('the links of a page lead to what they promise', async () => {
  const ask = servers.as(null)
  const follow = async (url: string) => (await ask('GET', url.replace('https://api.example.org', ''))).body
  const middle = (await ask('GET', pathOf('counted', '/comments', number(2, 70)))).body
  const pages = await Promise.all(['first', 'prev', 'next', 'last'].map((name) => follow(middle.links[name])))
  expect(pages.map(({ meta }) => [meta.page.from, meta.page.to])).toEqual([
    [1, 70],
    [1, 70],
    [141, 200],
    [141, 200],
  ])
  expect(
    pages.map(({ links }, i) => links.self === middle.links[['first', 'prev', 'next', 'last'][i] as string]),
  ).toEqual([true, true, true, true])
})
