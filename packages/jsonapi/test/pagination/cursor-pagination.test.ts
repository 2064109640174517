import { describe, expect, test } from 'vitest'
import type { Row } from '../../src/model/where.ts'
import { CursorPagination } from '../../src/pagination/cursor-pagination.ts'
import { ids, type MemorySource, memorySource, numbered } from './memory-source.ts'
import { badCounts, limits, readPage, refusals } from './requests.ts'

const paging = new CursorPagination()
const five = (): MemorySource => memorySource(numbered(5, 2))
const row = (id: number): Row => numbered(5, 2)[id - 1] as Row

describe('newest first', () => {
  test('without a cursor: the first page, which has no prev', async () => {
    expect(await readPage(paging, five(), { limit: '2' })).toEqual({
      rows: [row(5), row(4)],
      meta: { page: { from: '5', to: '4', hasMore: true, perPage: 2 } },
      links: { first: { limit: 2 }, next: { limit: 2, after: '4' } },
    })
  })

  test('after: a page in the middle', async () => {
    expect(await readPage(paging, five(), { limit: '2', after: '5' })).toEqual({
      rows: [row(4), row(3)],
      meta: { page: { from: '4', to: '3', hasMore: true, perPage: 2 } },
      links: { first: { limit: 2 }, prev: { limit: 2, before: '4' }, next: { limit: 2, after: '3' } },
    })
  })

  test('after: the last page, full, has no next', async () => {
    expect(await readPage(paging, five(), { limit: '2', after: '3' })).toEqual({
      rows: [row(2), row(1)],
      meta: { page: { from: '2', to: '1', hasMore: false, perPage: 2 } },
      links: { first: { limit: 2 }, prev: { limit: 2, before: '2' } },
    })
  })

  test('after the last resource: an empty page with only first', async () => {
    expect(await readPage(paging, five(), { limit: '2', after: '1' })).toEqual({
      rows: [],
      meta: { page: { from: null, to: null, hasMore: false, perPage: 2 } },
      links: { first: { limit: 2 } },
    })
  })

  test('before: the nearest rows, in the normal order', async () => {
    expect(await readPage(paging, five(), { limit: '2', before: '2' })).toEqual({
      rows: [row(4), row(3)],
      meta: { page: { from: '4', to: '3', hasMore: true, perPage: 2 } },
      links: { first: { limit: 2 }, prev: { limit: 2, before: '4' }, next: { limit: 2, after: '3' } },
    })
  })

  test('before: a full page with nothing in front has no prev', async () => {
    expect(await readPage(paging, five(), { limit: '2', before: '3' })).toEqual({
      rows: [row(5), row(4)],
      meta: { page: { from: '5', to: '4', hasMore: false, perPage: 2 } },
      links: { first: { limit: 2 }, next: { limit: 2, after: '4' } },
    })
  })

  test('before the first resource: an empty page with only first', async () => {
    expect(await readPage(paging, five(), { limit: '2', before: '5' })).toEqual({
      rows: [],
      meta: { page: { from: null, to: null, hasMore: false, perPage: 2 } },
      links: { first: { limit: 2 } },
    })
  })

  test('an empty collection has only first', async () => {
    expect(await readPage(paging, memorySource([]))).toEqual({
      rows: [],
      meta: { page: { from: null, to: null, hasMore: false, perPage: 15 } },
      links: { first: { limit: 15 } },
    })
  })

  test('before wins when both are sent, and after is not even looked up', async () => {
    const source = five()
    const { rows } = await readPage(paging, source, { limit: '2', before: '2', after: 'nobody' })
    expect(ids(rows)).toEqual([4, 3])
    expect(source.asked).toHaveLength(2)
  })
})

describe('oldest first', () => {
  const oldest = new CursorPagination().withAscending()

  test('after', async () => {
    expect(await readPage(oldest, five(), { limit: '2', after: '1' })).toEqual({
      rows: [row(2), row(3)],
      meta: { page: { from: '2', to: '3', hasMore: true, perPage: 2 } },
      links: { first: { limit: 2 }, prev: { limit: 2, before: '2' }, next: { limit: 2, after: '3' } },
    })
  })

  test('before', async () => {
    expect(await readPage(oldest, five(), { limit: '2', before: '4' })).toEqual({
      rows: [row(2), row(3)],
      meta: { page: { from: '2', to: '3', hasMore: true, perPage: 2 } },
      links: { first: { limit: 2 }, prev: { limit: 2, before: '2' }, next: { limit: 2, after: '3' } },
    })
  })
})

describe('what the database is asked', () => {
  const day = (row(4) as { createdAt: Date }).createdAt

  test('the first page is one query, without a condition', async () => {
    const source = five()
    await readPage(paging, source, { limit: '2' })
    const order = [
      { path: ['createdAt'], direction: 'desc' },
      { path: ['id'], direction: 'desc' },
    ]
    expect(source.asked).toEqual([{ order, take: 3 }])
  })

  test('a cursor is found in the collection, and compared as a tuple with a bound that an index can use', async () => {
    const source = five()
    await readPage(paging, source, { limit: '2', after: '4' })
    const order = [
      { path: ['createdAt'], direction: 'desc' },
      { path: ['id'], direction: 'desc' },
    ]
    const where = { createdAt: { lte: day }, NOT: { createdAt: { equals: day }, id: { gte: 4 } } }
    expect(source.asked).toEqual([{ find: '4' }, { where, order, take: 3 }])
  })

  test('before reads in the reversed order', async () => {
    const source = five()
    await readPage(paging, source, { limit: '2', before: '4' })
    const order = [
      { path: ['createdAt'], direction: 'asc' },
      { path: ['id'], direction: 'asc' },
    ]
    const where = { createdAt: { gte: day }, NOT: { createdAt: { equals: day }, id: { lte: 4 } } }
    expect(source.asked).toEqual([{ find: '4' }, { where, order, take: 3 }])
  })

  test('where the cursor column is the id, only the id is compared', async () => {
    const source = five()
    await readPage(new CursorPagination().withCursorColumn('id').withAscending(), source, { limit: '2', after: '4' })
    const order = [{ path: ['id'], direction: 'asc' }]
    expect(source.asked).toEqual([{ find: '4' }, { where: { id: { gt: 4 } }, order, take: 3 }])
  })

  test('a composite id is compared part by part, the cursor column not twice', async () => {
    const source = memorySource([{ a: 1, b: 2n, c: 'x' }], ['a', 'b', 'c'])
    await readPage(new CursorPagination().withCursorColumn('b'), source, { limit: '2', after: '1_2_x' })
    const order = ['b', 'a', 'c'].map((column) => ({ path: [column], direction: 'desc' }))
    const where = {
      b: { lte: 2n },
      NOT: { b: { equals: 2n }, a: { gte: 1 }, NOT: { a: { equals: 1 }, c: { lt: 'x' } } },
    }
    expect(source.asked).toEqual([{ find: '1_2_x' }, { where, order, take: 3 }])
  })
})

describe('limits', () => {
  test('without a limit the schema says how many', async () => {
    const { links } = await readPage(paging, five(), { after: '4' })
    expect(links.first).toEqual({ limit: 15 })
  })

  test('a default of the paginator comes before the schema, and never exceeds the maximum', async () => {
    const { links } = await readPage(new CursorPagination().withDefaultPerPage(20), five())
    expect(links.first).toEqual({ limit: 20 })
    const capped = await readPage(new CursorPagination().withDefaultPerPage(101), five())
    expect(capped.links.first).toEqual({ limit: 100 })
  })

  test.each(badCounts)('%j is no limit', async (limit) => {
    expect(await refusals(paging, { limit })).toEqual([
      ['page[limit]', 'Page parameter limit must be an integer of at least 1.'],
    ])
  })

  test.each(['101', '2147483648', '9223372036854775808'])('limit %s exceeds the maximum', async (limit) => {
    expect(await refusals(paging, { limit })).toEqual([
      ['page[limit]', 'Page parameter limit must not be greater than 100.'],
    ])
  })
})

describe('refused cursors', () => {
  test.each(['', ['1', '2'], { a: '1' }, null, 4, true])('%j is no id', async (id) => {
    expect(await refusals(paging, { after: id, before: id })).toEqual([
      ['page[after]', 'Page parameter after must be the id of a resource.'],
      ['page[before]', 'Page parameter before must be the id of a resource.'],
    ])
  })

  test.each(['after', 'before'])('%s: an id that the collection does not have', async (key) => {
    expect(await refusals(paging, { [key]: '6' }, five())).toEqual([
      [`page[${key}]`, `Page parameter ${key} does not name a resource of this collection.`],
    ])
  })

  test('a row without a value in the cursor column has no place in the order', async () => {
    const source = memorySource([{ id: 1, createdAt: null }])
    expect(await refusals(paging, { after: '1' }, source)).toEqual([
      ['page[after]', 'Page parameter after does not name a resource of this collection.'],
    ])
  })

  test('a column that rows do not have is the programmer’s mistake, and never an endless first page', async () => {
    const reading = readPage(new CursorPagination().withCursorColumn('rank'), five(), { after: '3' })
    await expect(reading).rejects.toThrow(new Error('The row has no column rank to compare by.'))
  })

  test('unknown keys', async () => {
    expect(await refusals(paging, { number: '1', after: '3' })).toEqual([
      ['page[number]', 'Page parameter number is not allowed.'],
    ])
  })
})

describe('renamed keys', () => {
  const renamed = new CursorPagination()
    .withLimitKey('per-page')
    .withAfterKey('starting-after')
    .withBeforeKey('ending-before')

  test('are read, and stand in the links', async () => {
    const middle = {
      rows: [row(4), row(3)],
      meta: { page: { from: '4', to: '3', hasMore: true, perPage: 2 } },
      links: {
        first: { 'per-page': 2 },
        prev: { 'per-page': 2, 'ending-before': '4' },
        next: { 'per-page': 2, 'starting-after': '3' },
      },
    }
    expect(await readPage(renamed, five(), { 'per-page': '2', 'starting-after': '5' })).toEqual(middle)
    expect(await readPage(renamed, five(), { 'per-page': '2', 'ending-before': '2' })).toEqual(middle)
  })

  test('are the ones that errors name, and the old ones are unknown', async () => {
    expect(await refusals(renamed, { 'per-page': '0', 'starting-after': '', 'ending-before': '', after: '1' })).toEqual(
      [
        ['page[after]', 'Page parameter after is not allowed.'],
        ['page[per-page]', 'Page parameter per-page must be an integer of at least 1.'],
        ['page[starting-after]', 'Page parameter starting-after must be the id of a resource.'],
        ['page[ending-before]', 'Page parameter ending-before must be the id of a resource.'],
      ],
    )
    expect(await refusals(renamed, { 'starting-after': '6' }, five())).toEqual([
      ['page[starting-after]', 'Page parameter starting-after does not name a resource of this collection.'],
    ])
  })
})

test('the order is the strategy’s, of the type and of each page', () => {
  const order = [{ path: ['title'], direction: 'asc' }]
  const byTitle = new CursorPagination().withCursorColumn('title').withAscending()
  expect([byTitle.order, byTitle.parse({}, limits).order]).toEqual([order, order])
})
