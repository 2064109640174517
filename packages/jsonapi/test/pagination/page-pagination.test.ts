import { describe, expect, test } from 'vitest'
import type { Row } from '../../src/model/where.ts'
import { PagePagination } from '../../src/pagination/page-pagination.ts'
import { ids, memorySource, numbered } from './memory-source.ts'
import { badCounts, limits, readPage, refusals } from './requests.ts'

const paging = new PagePagination()
const row = (id: number): Row => numbered(id)[id - 1] as Row

describe('length-aware', () => {
  test('the first of several pages has no prev', async () => {
    expect(await readPage(paging, memorySource(numbered(5)), { number: '1', size: '2' })).toEqual({
      rows: [row(1), row(2)],
      meta: { page: { currentPage: 1, from: 1, lastPage: 3, perPage: 2, to: 2, total: 5 } },
      links: { first: { number: 1, size: 2 }, next: { number: 2, size: 2 }, last: { number: 3, size: 2 } },
    })
  })

  test('a page in the middle has all four links', async () => {
    expect(await readPage(paging, memorySource(numbered(5)), { number: '2', size: '2' })).toEqual({
      rows: [row(3), row(4)],
      meta: { page: { currentPage: 2, from: 3, lastPage: 3, perPage: 2, to: 4, total: 5 } },
      links: {
        first: { number: 1, size: 2 },
        prev: { number: 1, size: 2 },
        next: { number: 3, size: 2 },
        last: { number: 3, size: 2 },
      },
    })
  })

  test('the last page has no next', async () => {
    expect(await readPage(paging, memorySource(numbered(5)), { number: '3', size: '2' })).toEqual({
      rows: [row(5)],
      meta: { page: { currentPage: 3, from: 5, lastPage: 3, perPage: 2, to: 5, total: 5 } },
      links: { first: { number: 1, size: 2 }, prev: { number: 2, size: 2 }, last: { number: 3, size: 2 } },
    })
  })

  test('a last page that is full has no next', async () => {
    expect(await readPage(paging, memorySource(numbered(4)), { number: '2', size: '2' })).toEqual({
      rows: [row(3), row(4)],
      meta: { page: { currentPage: 2, from: 3, lastPage: 2, perPage: 2, to: 4, total: 4 } },
      links: { first: { number: 1, size: 2 }, prev: { number: 1, size: 2 }, last: { number: 2, size: 2 } },
    })
  })

  test('an empty collection has one page, from 0 to 0', async () => {
    expect(await readPage(paging, memorySource([]), { size: '2' })).toEqual({
      rows: [],
      meta: { page: { currentPage: 1, from: 0, lastPage: 1, perPage: 2, to: 0, total: 0 } },
      links: { first: { number: 1, size: 2 }, last: { number: 1, size: 2 } },
    })
  })

  test('a page beyond the last is empty, and its prev is the page before it', async () => {
    expect(await readPage(paging, memorySource(numbered(5)), { number: '9', size: '2' })).toEqual({
      rows: [],
      meta: { page: { currentPage: 9, from: 0, lastPage: 3, perPage: 2, to: 0, total: 5 } },
      links: { first: { number: 1, size: 2 }, prev: { number: 8, size: 2 }, last: { number: 3, size: 2 } },
    })
  })

  test('an offset that no database takes is not asked for; the total still is', async () => {
    const source = memorySource(numbered(5))
    expect(await readPage(paging, source, { number: '2147483647', size: '2' })).toEqual({
      rows: [],
      meta: { page: { currentPage: 2_147_483_647, from: 0, lastPage: 3, perPage: 2, to: 0, total: 5 } },
      links: { first: { number: 1, size: 2 }, prev: { number: 2_147_483_646, size: 2 }, last: { number: 3, size: 2 } },
    })
    expect(source.asked).toEqual(['count'])
  })

  test('the largest offset that fits is asked for', async () => {
    const source = memorySource(numbered(5))
    await readPage(paging, source, { number: '2147483647', size: '1' })
    expect(source.asked).toEqual([{ skip: 2_147_483_646, take: 1 }, 'count'])
  })

  test('the rows and the total are asked for beside each other, each once', async () => {
    const source = memorySource(numbered(5))
    const reading = readPage(paging, source, { number: '2', size: '2' })
    expect(source.asked).toEqual([{ skip: 2, take: 2 }, 'count'])
    await reading
    expect(source.asked).toHaveLength(2)
  })

  test('a row that was inserted between the two queries is not missing from the total', async () => {
    const source = { ...memorySource(numbered(3)), count: async () => 2 }
    const { meta, links } = await readPage(paging, source, { number: '2', size: '2' })
    expect(meta).toEqual({ page: { currentPage: 2, from: 3, lastPage: 2, perPage: 2, to: 3, total: 3 } })
    expect(links.last).toEqual({ number: 2, size: 2 })
  })
})

describe('simple', () => {
  const simple = new PagePagination().withSimplePagination()

  test('a page that is not the last says next, without total, lastPage and last', async () => {
    expect(await readPage(simple, memorySource(numbered(5)), { number: '2', size: '2' })).toEqual({
      rows: [row(3), row(4)],
      meta: { page: { currentPage: 2, from: 3, perPage: 2, to: 4 } },
      links: { first: { number: 1, size: 2 }, prev: { number: 1, size: 2 }, next: { number: 3, size: 2 } },
    })
  })

  test('a last page that is full has no next', async () => {
    expect(await readPage(simple, memorySource(numbered(4)), { number: '2', size: '2' })).toEqual({
      rows: [row(3), row(4)],
      meta: { page: { currentPage: 2, from: 3, perPage: 2, to: 4 } },
      links: { first: { number: 1, size: 2 }, prev: { number: 1, size: 2 } },
    })
  })

  test('an empty collection', async () => {
    expect(await readPage(simple, memorySource([]), { size: '2' })).toEqual({
      rows: [],
      meta: { page: { currentPage: 1, from: 0, perPage: 2, to: 0 } },
      links: { first: { number: 1, size: 2 } },
    })
  })

  test('a page beyond the last is empty, and its prev is the page before it', async () => {
    expect(await readPage(simple, memorySource(numbered(5)), { number: '9', size: '2' })).toEqual({
      rows: [],
      meta: { page: { currentPage: 9, from: 0, perPage: 2, to: 0 } },
      links: { first: { number: 1, size: 2 }, prev: { number: 8, size: 2 } },
    })
  })

  test('never counts: one extra row answers next', async () => {
    const source = memorySource(numbered(5))
    await readPage(simple, source, { number: '2', size: '2' })
    expect(source.asked).toEqual([{ skip: 2, take: 3 }])
  })

  test('an offset that no database takes is an empty page without any query', async () => {
    const source = memorySource(numbered(5))
    const { rows } = await readPage(simple, source, { number: '2147483647', size: '100' })
    expect([rows, source.asked]).toEqual([[], []])
  })
})

describe('sizes', () => {
  const perPage = async (paginator: PagePagination, given = limits) => {
    const { links } = await paginator.parse({ number: '1' }, given).read(memorySource([]))
    return links.first?.size
  }

  test('without a size the schema says how many', async () => {
    expect(await perPage(paging)).toBe(15)
    expect(await perPage(paging, { ...limits, perPage: 30 })).toBe(30)
  })

  test('a default size of the paginator comes before the schema', async () => {
    expect(await perPage(new PagePagination().withDefaultPerPage(40))).toBe(40)
  })

  test('a default never exceeds what may be asked for', async () => {
    expect(await perPage(new PagePagination().withDefaultPerPage(101))).toBe(100)
  })

  test('a size without a number is page 1', async () => {
    const { rows, links } = await readPage(paging, memorySource(numbered(5)), { size: '3' })
    expect([ids(rows), links.first]).toEqual([[1, 2, 3], { number: 1, size: 3 }])
  })

  test('leading zeros do not matter', async () => {
    const { rows } = await readPage(paging, memorySource(numbered(5)), { number: '02', size: '003' })
    expect(ids(rows)).toEqual([4, 5])
  })

  test('an application may write its default as numbers', async () => {
    const { rows } = await readPage(paging, memorySource(numbered(5)), { number: 2, size: 3 })
    expect(ids(rows)).toEqual([4, 5])
  })
})

describe('refusals', () => {
  test.each(badCounts)('%j is no number and no size', async (value) => {
    expect(await refusals(paging, { number: value, size: value })).toEqual([
      ['page[number]', 'Page parameter number must be an integer of at least 1.'],
      ['page[size]', 'Page parameter size must be an integer of at least 1.'],
    ])
  })

  test.each(['2147483648', '4294967297', '9007199254740993', '9223372036854775808', '9'.repeat(400)])(
    'number %s is too large',
    async (number) => {
      expect(await refusals(paging, { number })).toEqual([
        ['page[number]', 'Page parameter number must not be greater than 2147483647.'],
      ])
    },
  )

  test.each(['101', '2147483648', '9223372036854775808'])('size %s exceeds the maximum', async (size) => {
    expect(await refusals(paging, { size })).toEqual([
      ['page[size]', 'Page parameter size must not be greater than 100.'],
    ])
  })

  test('the maximum itself may be asked for', async () => {
    const { rows } = await readPage(paging, memorySource(numbered(200)), { size: '100' })
    expect(rows).toHaveLength(100)
  })

  test('without a maximum a size still fits an integer of the database, with one row more', async () => {
    const unlimited = { perPage: 15, maxPageSize: Number.POSITIVE_INFINITY }
    expect(() => paging.parse({ size: '2147483646' }, unlimited)).not.toThrow()
    expect(() => paging.parse({ size: '2147483647' }, unlimited)).toThrow('must not be greater than 2147483646.')
  })

  test('unknown keys are named, all of them', async () => {
    expect(await refusals(paging, { number: '1', limit: '2', constructor: '3' })).toEqual([
      ['page[limit]', 'Page parameter limit is not allowed.'],
      ['page[constructor]', 'Page parameter constructor is not allowed.'],
    ])
  })
})

describe('renamed keys', () => {
  const renamed = new PagePagination().withPageKey('page').withPerPageKey('per-page')

  test('are read, and stand in the links', async () => {
    expect(await readPage(renamed, memorySource(numbered(5)), { page: '2', 'per-page': '2' })).toEqual({
      rows: [row(3), row(4)],
      meta: { page: { currentPage: 2, from: 3, lastPage: 3, perPage: 2, to: 4, total: 5 } },
      links: {
        first: { page: 1, 'per-page': 2 },
        prev: { page: 1, 'per-page': 2 },
        next: { page: 3, 'per-page': 2 },
        last: { page: 3, 'per-page': 2 },
      },
    })
  })

  test('are the ones that errors name, and the old ones are unknown', async () => {
    expect(await refusals(renamed, { page: '0', 'per-page': '0', number: '1' })).toEqual([
      ['page[number]', 'Page parameter number is not allowed.'],
      ['page[page]', 'Page parameter page must be an integer of at least 1.'],
      ['page[per-page]', 'Page parameter per-page must be an integer of at least 1.'],
    ])
  })

  test('may be swapped', async () => {
    const swapped = new PagePagination().withPageKey('size').withPerPageKey('number')
    const { rows } = await readPage(swapped, memorySource(numbered(5)), { size: '2', number: '3' })
    expect([ids(rows), swapped.keys]).toEqual([
      [4, 5],
      ['size', 'number'],
    ])
  })
})

test('the order is the client’s', () => {
  expect([paging.order, paging.parse({}, limits).order]).toEqual([null, undefined])
})
