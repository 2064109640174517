import fc from 'fast-check'
import { PagePagination, Schema } from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import type { Paginator } from 'prismapi/pagination'
import { describe, expect, test } from 'vitest'
import { expectPage, noComment, type ShownPage } from '../../support/bare-comments.ts'
import { isNight } from '../../support/night.ts'
import { openServer, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// A total that is counted up to an end: the documents are those with a total, as far as there is one.

const counted = 120
const ends = [1, 40, counted, 200] as const

const commentsBy = (paginator: () => Paginator) =>
  class extends Schema<'Comment'> {
    override defaultPagination = {}
    override pagination() {
      return paginator()
    }
  }
const byNumber = (most: number) => () => new PagePagination().withBoundedTotal(most)

const exact = () => new PagePagination()
const ofProfile = () => new CursorProfilePagination()
const paginators: Readonly<Record<string, () => Paginator>> = {
  exact,
  bounded: byNumber(counted),
  profile: () => ofProfile().withTotal(),
  'bounded-profile': () => ofProfile().withBoundedTotal(counted),
}
/** What is seen of the comments of the seed, of which there are 200. */
const seen = { id: { gt: 30 } }

const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  servers: [
    ...Object.entries(paginators).map(([name, paginator]) => openServer(name, { Comment: commentsBy(paginator) })),
    openServer(
      'hiding',
      { Comment: commentsBy(byNumber(counted)) },
      { serving: (phase) => phase.scope('Comment', { id: { gt: 80 } }) },
    ),
    ...(['auto', 'prisma'] as const).flatMap((reads) =>
      [Infinity, ...ends].map((most) =>
        openServer(
          `${reads}-${most}`,
          { Comment: commentsBy(most === Infinity ? exact : byNumber(most)), Post: Schema, User: Schema },
          { reads, serving: (phase) => phase.scope('Comment', seen) },
        ),
      ),
    ),
  ],
}))

const get = (server: string, path: string, query: Query = {}, headers: Record<string, string> = {}) =>
  servers.as(null)('GET', pathOf(server, path, query), { headers })
const number = (n: number, size: number): Query => ({ 'page[number]': n, 'page[size]': size })

describe('by number', () => {
  const page = (currentPage: number, [from, to]: readonly [number, number], more: object) => ({
    page: { currentPage, from, perPage: 70, to, ...more },
  })

  test.each<[string, ShownPage]>([
    [
      'the first of too many to be counted',
      {
        asked: number(1, 70),
        data: [1, 70],
        meta: page(1, [1, 70], { totalMoreThan: 120 }),
        sides: { first: number(1, 70), next: number(2, 70) },
      },
    ],
    [
      'one that ends behind what is counted',
      {
        asked: number(2, 70),
        data: [71, 140],
        meta: page(2, [71, 140], { totalMoreThan: 140 }),
        sides: { first: number(1, 70), prev: number(1, 70), next: number(3, 70) },
      },
    ],
    [
      'the last one, which tells the total',
      {
        asked: number(3, 70),
        data: [141, 200],
        meta: page(3, [141, 200], { lastPage: 3, total: 200 }),
        sides: { first: number(1, 70), prev: number(2, 70), last: number(3, 70) },
      },
    ],
    [
      'one behind the last',
      {
        asked: number(9, 70),
        meta: page(9, [0, 0], { totalMoreThan: 120 }),
        sides: { first: number(1, 70), prev: number(8, 70) },
      },
    ],
    [
      'a filter that leaves as many as are counted',
      {
        asked: number(1, 70),
        filter: { 'filter[id][lte]': 120 },
        data: [1, 70],
        meta: page(1, [1, 70], { lastPage: 2, total: 120 }),
        sides: { first: number(1, 70), next: number(2, 70), last: number(2, 70) },
      },
    ],
    [
      'a filter that leaves one more',
      {
        asked: number(1, 70),
        filter: { 'filter[id][lte]': 121 },
        data: [1, 70],
        meta: page(1, [1, 70], { totalMoreThan: 120 }),
        sides: { first: number(1, 70), next: number(2, 70) },
      },
    ],
    [
      'nothing',
      {
        asked: number(1, 70),
        filter: noComment,
        meta: page(1, [0, 0], { lastPage: 1, total: 0 }),
        sides: { first: number(1, 70), last: number(1, 70) },
      },
    ],
  ])('%s', async (_, shown) => expectPage(servers.as(null), 'bounded', shown))

  test('what is hidden is not counted: as many as are told may be seen', async () => {
    await expectPage(servers.as(null), 'hiding', {
      asked: number(1, 70),
      data: [81, 150],
      meta: page(1, [1, 70], { lastPage: 2, total: 120 }),
      sides: { first: number(1, 70), next: number(2, 70), last: number(2, 70) },
    })
  })

  test('is counted by a statement that has an end', async () => {
    // Nobody else asks so: a total that was counted before may be kept.
    const queries = await servers.queriesOf(() => get('auto-40', '/comments', { 'filter[id][lt]': 987_654 }))
    expect(queries.filter((sql) => sql.includes('count(*)'))).toEqual([
      expect.stringMatching(/^select count\(\*\) from \(select 1 .* limit 41\)/),
    ])
  })
})

describe('by cursors', () => {
  const total = async (query: Query) => (await get('bounded-profile', '/comments', query)).body.meta

  test('a total that is known is told, and else how far was counted', async () => {
    expect(await total({ 'filter[id][lte]': 120 })).toEqual({ page: { total: 120 } })
    expect(await total({ 'filter[id][lte]': 121 })).toEqual({ page: { estimatedTotal: { bestGuess: 120 } } })
  })

  test('nothing else changes', async () => {
    const shown = async (server: string) => {
      const { text } = await get(server, '/comments', { 'page[size]': 3, sort: '-createdAt' })
      // Each server has cursors of its own.
      return JSON.parse(text.replaceAll(`/api/${server}/`, '/').replaceAll(/page%5Bafter%5D=[^&]+/g, 'after'))
    }
    const bare = ({ data, meta, links, ...others }: Awaited<ReturnType<typeof shown>>) => ({
      ...others,
      data: data.map(({ meta: _, ...resource }: { meta: object }) => resource),
      links: Object.keys(links),
    })
    expect(bare(await shown('bounded-profile'))).toEqual(bare(await shown('profile')))
  })
})

test('is the document with a total, as far as that is told, whoever reads it', async () => {
  const asked = fc.record({
    path: fc.constantFrom('/comments', '/posts/1/comments', '/users/5/comments', '/posts/2/relationships/comments'),
    most: fc.constantFrom(...ends),
    number: fc.integer({ min: 1, max: 9 }),
    size: fc.integer({ min: 1, max: 60 }),
    filter: fc.option(fc.integer({ min: 0, max: 220 }), { nil: null }),
    sort: fc.constantFrom('id', '-id', '-createdAt', 'content'),
  })
  let known = 0
  let unknown = 0
  await fc.assert(
    fc.asyncProperty(asked, async ({ path, most, filter, sort, ...page }) => {
      const query = {
        ...number(page.number, page.size),
        ...(filter !== null && { 'filter[id][lte]': filter }),
        ...(path.includes('/relationships/') ? {} : { sort }),
      }
      const told = async (server: string) => {
        const { status, text } = await get(server, path, query)
        expect(status).toBe(200)
        return text.replaceAll(`/api/${server}/`, '/api/any/')
      }
      const document = JSON.parse(await told('auto-Infinity'))
      const bounded = await told(`auto-${most}`)
      expect(await told(`prisma-${most}`)).toBe(bounded)
      const { lastPage, total, ...others } = document.meta.page
      const isKnown = total <= most || (page.number === lastPage && document.data.length > 0)
      if (isKnown) known++
      else unknown++
      const { last, ...links } = document.links
      const totalMoreThan = Math.max(most, others.to)
      const without = { ...document, links, meta: { ...document.meta, page: { ...others, totalMoreThan } } }
      expect(JSON.parse(bounded)).toEqual(isKnown ? document : without)
    }),
    {
      numRuns: isNight ? 200 : 20,
      // One with a total and one without, whatever else is drawn.
      examples: [
        [{ path: '/comments', most: 40, number: 1, size: 10, filter: null, sort: 'id' }],
        [{ path: '/comments', most: 200, number: 1, size: 10, filter: null, sort: 'id' }],
      ],
    },
  )
  expect([known, unknown].every((count) => count > 0)).toBe(true)
})

describe('the price', () => {
  const costOf = async (server: string, query: Query) => {
    const { status, headers } = await get(server, '/comments', { 'page[size]': 10, ...query }, { Prefer: 'cost' })
    return [status, Number(headers.get('Prismapi-Cost'))]
  }

  // Each of ten resources is 20, and a table counts as a thousand rows at the least.
  test.each<[string, Query, number, number]>([
    ['of all rows is a hundredth of those that are counted', {}, 220, 211],
    [
      'of a range of the order is what is counted of it',
      { 'filter[createdAt][gt]': '2024-01-01T00:00:00Z', sort: 'createdAt' },
      1200,
      331,
    ],
    ['of half a table is the rows among which so many are expected', { 'filter[content][not]': 'x' }, 2200, 1442],
    ['of few rows is no less', { 'filter[content]': 'x' }, 2020, 2020],
  ])('%s', async (_, query, whole, bounded) => {
    expect(await Promise.all(['exact', 'bounded'].map((server) => costOf(server, query)))).toEqual([
      [200, whole],
      [200, bounded],
    ])
  })

  test('of a page by cursors has that of its total', async () => {
    expect(await Promise.all(['profile', 'bounded-profile'].map((server) => costOf(server, {})))).toEqual([
      [200, 241],
      [200, 232],
    ])
  })
})
