import { PagePagination, Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { describe, test } from 'vitest'
import { expectAnswer } from '../../support/answers.ts'
import { bareComments } from '../../support/bare-comments.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Every way to spell a page: the strategies, the names of their parameters, the case of their meta and where it is put.

type Paginator = PagePagination | CursorPagination

const strategies = {
  'length-aware': {
    byDefault: { paginator: () => new PagePagination(), names: { number: 'number', size: 'size' } },
    renamed: {
      paginator: () => new PagePagination().withPageKey('no').withPerPageKey('per'),
      names: { number: 'no', size: 'per' },
    },
    asked: { number: 2, size: 5 },
    shown: [6, 10],
    sides: {
      first: { number: 1, size: 5 },
      prev: { number: 1, size: 5 },
      next: { number: 3, size: 5 },
      last: { number: 40, size: 5 },
    },
    camel: { currentPage: 2, from: 6, lastPage: 40, perPage: 5, to: 10, total: 200 },
    snake: { current_page: 2, from: 6, last_page: 40, per_page: 5, to: 10, total: 200 },
    dash: { 'current-page': 2, from: 6, 'last-page': 40, 'per-page': 5, to: 10, total: 200 },
  },
  simple: {
    byDefault: {
      paginator: () => new PagePagination().withSimplePagination(),
      names: { number: 'number', size: 'size' },
    },
    renamed: {
      paginator: () => new PagePagination().withSimplePagination().withPerPageKey('s').withPageKey('p'),
      names: { number: 'p', size: 's' },
    },
    asked: { number: 2, size: 5 },
    shown: [6, 10],
    sides: { first: { number: 1, size: 5 }, prev: { number: 1, size: 5 }, next: { number: 3, size: 5 } },
    camel: { currentPage: 2, from: 6, perPage: 5, to: 10 },
    snake: { current_page: 2, from: 6, per_page: 5, to: 10 },
    dash: { 'current-page': 2, from: 6, 'per-page': 5, to: 10 },
  },
  cursor: {
    byDefault: {
      paginator: () => new CursorPagination(),
      names: { limit: 'limit', after: 'after', before: 'before' },
    },
    renamed: {
      paginator: () => new CursorPagination().withLimitKey('take').withAfterKey('from').withBeforeKey('until'),
      names: { limit: 'take', after: 'from', before: 'until' },
    },
    asked: { limit: 3, after: 198 },
    shown: [197, 195],
    sides: { first: { limit: 3 }, prev: { limit: 3, before: 197 }, next: { limit: 3, after: 195 } },
    camel: { from: '197', to: '195', hasMore: true, perPage: 3 },
    snake: { from: '197', to: '195', has_more: true, per_page: 3 },
    dash: { from: '197', to: '195', 'has-more': true, 'per-page': 3 },
  },
} as const

const cases = {
  camel: (paginator: Paginator) => paginator,
  snake: (paginator: Paginator) => paginator.withSnakeCaseMeta(),
  dash: (paginator: Paginator) => paginator.withDashCaseMeta(),
} as const

const places = {
  'under page': { place: (paginator: Paginator) => paginator, put: (meta: object) => ({ page: meta }) },
  'under a key': {
    place: (paginator: Paginator) => paginator.withMetaKey('paging'),
    put: (meta: object) => ({ paging: meta }),
  },
  'not nested': { place: (paginator: Paginator) => paginator.withoutNestedMeta(), put: (meta: object) => meta },
  'not at all': { place: (paginator: Paginator) => paginator.withoutMeta(), put: () => undefined },
} as const

const combinations = Object.entries(strategies).flatMap(([strategy, spec]) =>
  (['byDefault', 'renamed'] as const).flatMap((keys) =>
    (['camel', 'snake', 'dash'] as const).flatMap((memberCase) =>
      Object.entries(places).map(([where, { place, put }]) => ({
        name: [strategy, keys, memberCase, where].join('-').replaceAll(' ', '-').toLowerCase(),
        title: `${strategy}, keys ${keys === 'renamed' ? 'renamed' : 'as they are'}, ${memberCase} case, ${where}`,
        paginator: () => place(cases[memberCase](spec[keys].paginator())),
        names: spec[keys].names,
        meta: put(spec[memberCase]),
        spec,
      })),
    ),
  ),
)

const servers = useServers(() => ({
  policies: new Map(),
  servers: combinations.map(({ name, paginator }) =>
    openServer(name, {
      Comment: class extends Schema<'Comment'> {
        override pagination() {
          return paginator()
        }
      },
    }),
  ),
}))

/** Page parameters by their keys, in the order that links have. */
const toQuery = (params: Query, names: Readonly<Record<string, string>>): Query =>
  Object.fromEntries(
    Object.entries(params)
      .map(([key, value]) => [`page[${names[key]}]`, value] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

describe('a page in the middle', () => {
  test.each(combinations)('$title', async ({ name, names, meta, spec }) => {
    const asked = toQuery(spec.asked, names)
    const sides = Object.fromEntries(Object.entries(spec.sides).map(([side, params]) => [side, toQuery(params, names)]))
    const [from, to] = spec.shown
    const data = bareComments(name, from, to)
    const document = pageDocument(name, '/comments', { asked, data, sides, ...(meta && { meta }) })
    expectAnswer(await servers.as(null)('GET', pathOf(name, '/comments', asked)), 200, document)
  })
})
