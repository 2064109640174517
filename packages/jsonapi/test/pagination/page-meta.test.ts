import { describe, expect, test } from 'vitest'
import { CursorPagination } from '../../src/pagination/cursor-pagination.ts'
import { PagePagination } from '../../src/pagination/page-pagination.ts'
import type { Pagination } from '../../src/pagination/pagination.ts'
import { memorySource, numbered } from './memory-source.ts'
import { readPage } from './requests.ts'

const strategies = {
  page: {
    make: () => new PagePagination().withPageKey('n').withPerPageKey('s'),
    params: { n: '2', s: '2' },
    links: { first: { n: 1, s: 2 }, prev: { n: 1, s: 2 }, next: { n: 3, s: 2 }, last: { n: 3, s: 2 } },
    rows: numbered(5).slice(2, 4),
    camel: { currentPage: 2, from: 3, lastPage: 3, perPage: 2, to: 4, total: 5 },
    snake: { current_page: 2, from: 3, last_page: 3, per_page: 2, to: 4, total: 5 },
    dash: { 'current-page': 2, from: 3, 'last-page': 3, 'per-page': 2, to: 4, total: 5 },
  },
  simple: {
    make: () => new PagePagination().withSimplePagination(),
    params: { number: '2', size: '2' },
    links: { first: { number: 1, size: 2 }, prev: { number: 1, size: 2 }, next: { number: 3, size: 2 } },
    rows: numbered(5).slice(2, 4),
    camel: { currentPage: 2, from: 3, perPage: 2, to: 4 },
    snake: { current_page: 2, from: 3, per_page: 2, to: 4 },
    dash: { 'current-page': 2, from: 3, 'per-page': 2, to: 4 },
  },
  cursor: {
    make: () => new CursorPagination().withAfterKey('a').withBeforeKey('b').withLimitKey('l'),
    params: { l: '2', a: '5' },
    links: { first: { l: 2 }, prev: { l: 2, b: '4' }, next: { l: 2, a: '3' } },
    rows: numbered(5).slice(2, 4).reverse(),
    camel: { from: '4', to: '3', hasMore: true, perPage: 2 },
    snake: { from: '4', to: '3', has_more: true, per_page: 2 },
    dash: { from: '4', to: '3', 'has-more': true, 'per-page': 2 },
  },
} as const

const cases = {
  camel: (paginator: Pagination) => paginator,
  snake: (paginator: Pagination) => paginator.withSnakeCaseMeta(),
  dash: (paginator: Pagination) => paginator.withDashCaseMeta(),
} as const

const places = {
  'under page': { place: (paginator: Pagination) => paginator, put: (meta: object) => ({ page: meta }) },
  'under a key': {
    place: (paginator: Pagination) => paginator.withMetaKey('pageInfo'),
    put: (meta: object) => ({ pageInfo: meta }),
  },
  'not nested': { place: (paginator: Pagination) => paginator.withoutNestedMeta(), put: (meta: object) => meta },
  'not nested, whatever the key': {
    place: (paginator: Pagination) => paginator.withoutNestedMeta().withMetaKey('pageInfo'),
    put: (meta: object) => meta,
  },
  'not at all': { place: (paginator: Pagination) => paginator.withoutMeta(), put: () => null },
} as const

describe.each(Object.entries(strategies))('%s pagination', (_name, { make, params, links, rows, ...metas }) => {
  describe.each(Object.entries(cases))('in %s case', (memberCase, inCase) => {
    test.each(Object.entries(places))('%s', async (_where, { place, put }) => {
      expect(await readPage(place(inCase(make())), memorySource(numbered(5)), params)).toEqual({
        rows,
        meta: put(metas[memberCase as keyof typeof cases]),
        links,
      })
    })
  })
})

describe('a class of the application', () => {
  class MyPagination extends PagePagination {
    constructor() {
      super()
      this.withSnakeCaseMeta().withoutNestedMeta().withPageKey('no').withSimplePagination().withDefaultPerPage(2)
    }
  }

  test('configures itself in its constructor', async () => {
    expect(await readPage(new MyPagination(), memorySource(numbered(5)), { no: '3' })).toEqual({
      rows: numbered(5).slice(4),
      meta: { current_page: 3, from: 5, per_page: 2, to: 5 },
      links: { first: { no: 1, size: 2 }, prev: { no: 2, size: 2 } },
    })
  })

  test('may be configured further, which changes no other instance', async () => {
    const other = new MyPagination()
    new MyPagination().withMetaKey('x').withDashCaseMeta().withPageKey('p')
    expect(other.keys).toEqual(['no', 'size'])
    const { meta } = await readPage(other, memorySource([]))
    expect(meta).toEqual({ current_page: 1, from: 0, per_page: 2, to: 0 })
  })

  test('is not configurable any more once it is frozen', () => {
    expect(() => Object.freeze(new MyPagination()).withPageKey('p')).toThrow(TypeError)
    expect(() => Object.freeze(new MyPagination()).withDashCaseMeta()).toThrow(TypeError)
    expect(() => Object.freeze(new CursorPagination()).withAscending()).toThrow(TypeError)
  })
})

describe('mistakes in a configuration', () => {
  test.each([
    [() => new PagePagination().withDefaultPerPage(0), 'withDefaultPerPage(0): pass an integer of at least 1.'],
    [() => new CursorPagination().withDefaultPerPage(1.5), 'withDefaultPerPage(1.5): pass an integer of at least 1.'],
    [() => new PagePagination().withMetaKey(''), "withMetaKey(''): pass a name, or call withoutNestedMeta()."],
    [
      () => new PagePagination().withPageKey('page[n]'),
      "withPageKey('page[n]'): pass the name of a page parameter, without brackets: 'limit' for page[limit].",
    ],
    [
      () => new CursorPagination().withLimitKey(''),
      "withLimitKey(''): pass the name of a page parameter, without brackets: 'limit' for page[limit].",
    ],
  ])('%s', (configure, message) => {
    expect(configure).toThrow(new Error(message))
  })
})
