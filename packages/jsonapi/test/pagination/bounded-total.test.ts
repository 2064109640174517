import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CursorProfilePagination } from '../../src/pagination/cursor-profile-pagination.ts'
import { PagePagination } from '../../src/pagination/page-pagination.ts'
import { memorySource, numbered } from './memory-source.ts'
import { limits, readPage } from './requests.ts'

const bounded = (most: number) => new PagePagination().withBoundedTotal(most)
const page = (most: number, rows: number, number: number) =>
  readPage(bounded(most), memorySource(numbered(rows)), { number: String(number), size: '2' })
const at = (number: number) => ({ number, size: 2 })

describe('a collection that is longer than what is counted', () => {
  test('says so in the place of its total, and has no last page', async () => {
    expect(await page(3, 5, 2)).toEqual({
      rows: numbered(5).slice(2, 4),
      meta: { page: { currentPage: 2, from: 3, perPage: 2, to: 4, totalMoreThan: 4 } },
      links: { first: at(1), prev: at(1), next: at(3) },
    })
  })

  test('is known to end on its last page', async () => {
    expect(await page(3, 5, 3)).toEqual({
      rows: numbered(5).slice(4),
      meta: { page: { currentPage: 3, from: 5, lastPage: 3, perPage: 2, to: 5, total: 5 } },
      links: { first: at(1), prev: at(2), last: at(3) },
    })
  })

  test('tells no more than that behind its end', async () => {
    expect(await page(3, 5, 9)).toEqual({
      rows: [],
      meta: { page: { currentPage: 9, from: 0, perPage: 2, to: 0, totalMoreThan: 3 } },
      links: { first: at(1), prev: at(8) },
    })
  })

  test('says so in the case that the application chose', async () => {
    const { meta } = await readPage(bounded(1).withSnakeCaseMeta(), memorySource(numbered(5)), { size: '2' })
    expect(meta).toEqual({ page: { current_page: 1, from: 1, per_page: 2, to: 2, total_more_than: 2 } })
  })
})

test('is asked for one more row than the page shows, and one more than is told', async () => {
  const source = memorySource(numbered(5))
  const request = bounded(3).parse({ number: '2', size: '2' }, limits)
  await request.read(source)
  expect([request.asks, source.asked]).toEqual([{ take: 2, skip: 2, counted: 4 }, [{ skip: 2, take: 3 }, { count: 4 }]])
})

test('10,000 are counted where nothing is said', () => {
  const [byNumber, byCursor] = [new PagePagination(), new CursorProfilePagination()].map(
    (paginator) => paginator.withBoundedTotal().parse({}, limits).asks?.counted,
  )
  expect([byNumber, byCursor]).toEqual([10_001, 10_001])
})

test('the last call says how far is counted', () => {
  const askedBy = (paginator: PagePagination) => paginator.parse({}, limits).asks?.counted
  expect(askedBy(bounded(3).withSimplePagination())).toBe(false)
  expect(askedBy(new PagePagination().withSimplePagination().withBoundedTotal(3))).toBe(4)
})

test.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 31 - 1, '3' as never])('%s is no end', (most) => {
  const told = `withBoundedTotal(${most}): pass an integer from 1 to 2147483646, or nothing for 10000.`
  expect(() => bounded(most)).toThrow(told)
  expect(() => new CursorProfilePagination().withBoundedTotal(most)).toThrow(told)
})

test('is the page with a total, as far as the total is told', async () => {
  const asked = fc.record({
    rows: fc.nat(30),
    most: fc.integer({ min: 1, max: 32 }),
    number: fc.integer({ min: 1, max: 12 }),
    size: fc.integer({ min: 1, max: 7 }),
  })
  await fc.assert(
    fc.asyncProperty(asked, async ({ rows, most, number, size }) => {
      const params = { number: String(number), size: String(size) }
      const exact = await readPage(new PagePagination(), memorySource(numbered(rows)), params)
      const told = await readPage(bounded(most), memorySource(numbered(rows)), params)
      const { lastPage, total: _, ...others } = (exact.meta as { page: Record<string, number> }).page
      const isKnown = rows <= most || (number === lastPage && exact.rows.length > 0)
      const { last, ...links } = exact.links
      const totalMoreThan = Math.max(most, others.to as number)
      expect(told).toEqual(isKnown ? exact : { rows: exact.rows, meta: { page: { ...others, totalMoreThan } }, links })
    }),
    { numRuns: 500 },
  )
})
