import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Row } from '../../src/model/where.ts'
import { CursorPagination } from '../../src/pagination/cursor-pagination.ts'
import { PagePagination } from '../../src/pagination/page-pagination.ts'
import type { Page, PageParams, Paginator } from '../../src/pagination/paginator.ts'
import { type MemorySource, memorySource } from './memory-source.ts'

const limits = { perPage: 15, maxPageSize: 1000 }

interface Walk {
  readonly paginator: Paginator
  readonly source: MemorySource
  readonly from: PageParams
  readonly link: 'next' | 'prev'
  /** What happens to the collection between two pages; the ids of the page just read are given. */
  readonly meanwhile?: (page: Page) => void
}

/** The ids that a client sees who follows one link from page to page, as often as it sees them. */
async function walk({ paginator, source, from, link, meanwhile }: Walk): Promise<string[]> {
  const seen: string[] = []
  for (let params: PageParams | null | undefined = from; params; ) {
    const page: Page = await paginator.parse(params, limits).read(source)
    const pageIds = page.rows.map(source.idOf)
    if (link === 'next') seen.push(...pageIds)
    else seen.unshift(...pageIds)
    if (seen.length > 20_000) throw new Error('The client goes round in circles.')
    params = page.links[link]
    meanwhile?.(page)
  }
  return seen
}

const sorted = (source: MemorySource, paginator: CursorPagination): Promise<string[]> =>
  walk({ paginator, source, from: { limit: '1000' }, link: 'next' })

/** From the first page to the last, or from the last resource back to the first page. */
async function walkAll(
  paginator: CursorPagination,
  source: MemorySource,
  options: Omit<Walk, 'paginator' | 'source' | 'from'> & { limit: number },
) {
  const { limit, ...rest } = options
  if (rest.link === 'next') return walk({ paginator, source, from: { limit }, ...rest })
  const last = (await sorted(source, paginator)).at(-1)
  if (last === undefined) return []
  return [...(await walk({ paginator, source, from: { limit, before: last }, ...rest })), last]
}

const configurations = fc.record({
  limit: fc.integer({ min: 1, max: 9 }),
  isAscending: fc.boolean(),
  column: fc.constantFrom('createdAt', 'rank', 'a', 'b'),
  idColumns: fc.constantFrom(['a'], ['a', 'b'], ['b', 'rank', 'a']),
  link: fc.constantFrom('next' as const, 'prev' as const),
})

const moments = fc.integer({ min: 0, max: 4 }).map((n) => new Date(1_700_000_000_000 + n))
const rowOf = fc.record({ createdAt: moments, rank: fc.bigInt(-2n, 2n), b: fc.constantFrom('x', 'y', 'Z') })
const rowsFrom = (start: number, maxLength: number) =>
  fc.array(rowOf, { maxLength }).map((rows) => rows.map((row, i): Row => ({ ...row, a: start + i })))

const cursor = (column: string, isAscending: boolean): CursorPagination => {
  const paginator = new CursorPagination().withCursorColumn(column)
  return isAscending ? paginator.withAscending() : paginator
}

/** Deletes and inserts between the pages, all over the collection, but never the two ends of the page just read. */
function disturbance(source: MemorySource, doomed: readonly Row[], coming: readonly Row[], perPage: number) {
  const [toDelete, toInsert] = [[...doomed], [...coming]]
  return ({ rows }: Page) => {
    for (const row of toDelete.splice(0, perPage)) {
      if (row === rows[0] || row === rows.at(-1)) continue
      source.table.splice(source.table.indexOf(row), 1)
    }
    source.table.push(...toInsert.splice(0, perPage))
  }
}

describe('cursor pages', () => {
  test('show everything once, in order, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(configurations, rowsFrom(1, 40), async (configuration, rows) => {
        const { limit, isAscending, column, idColumns, link } = configuration
        const source = memorySource(rows, idColumns)
        const paginator = cursor(column, isAscending)
        const seen = await walkAll(paginator, source, { limit, link })
        const columns = [column, ...idColumns]
        const expected = rows.toSorted((a, b) => compareBy(columns, a, b) * (isAscending ? 1 : -1)).map(source.idOf)
        expect(seen).toEqual(expected)
      }),
    )
  })

  test('say prev, next and hasMore as it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        configurations,
        rowsFrom(1, 20),
        fc.nat(),
        fc.boolean(),
        async (configuration, rows, pick, isAfter) => {
          const { limit, isAscending, column, idColumns } = configuration
          fc.pre(rows.length > 0)
          const source = memorySource(rows, idColumns)
          const paginator = cursor(column, isAscending)
          const all = await sorted(source, paginator)
          const at = pick % all.length
          const expected = isAfter ? all.slice(at + 1, at + 1 + limit) : all.slice(Math.max(0, at - limit), at)
          const page = await paginator.parse({ limit, [isAfter ? 'after' : 'before']: all[at] }, limits).read(source)
          const [from, to] = [expected[0] ?? null, expected.at(-1) ?? null]
          const precedes = from !== null && all[0] !== from
          const follows = to !== null && all.at(-1) !== to
          expect({ ...page, rows: page.rows.map(source.idOf) }).toEqual({
            rows: expected,
            meta: { page: { from, to, hasMore: isAfter ? follows : precedes, perPage: limit } },
            links: {
              first: { limit },
              ...(precedes && { prev: { limit, before: from } }),
              ...(follows && { next: { limit, after: to } }),
            },
          })
        },
      ),
    )
  })

  test('show what was there throughout exactly once, and nothing twice, while rows come and go', async () => {
    await fc.assert(
      fc.asyncProperty(
        configurations,
        rowsFrom(1, 30),
        rowsFrom(1001, 15),
        rowsFrom(2001, 15),
        async ({ limit, isAscending, column, idColumns, link }, staying, doomed, coming) => {
          const source = memorySource([...staying, ...doomed], idColumns)
          const paginator = cursor(column, isAscending)
          const last = (await sorted(source, paginator)).at(-1)
          const mortal = doomed.filter((row) => source.idOf(row) !== last)
          const meanwhile = disturbance(source, mortal, coming, 2)
          const seen = await walkAll(paginator, source, { limit, link, meanwhile })
          expect(seen.length).toBe(new Set(seen).size)
          expect(seen).toEqual(expect.arrayContaining(staying.map(source.idOf)))
        },
      ),
    )
  })

  test.each(['next', 'prev'] as const)(
    '10,000 rows with 5 ties each, by %s, with 2,000 more that come and go',
    async (link) => {
      const tied = (from: number, count: number) =>
        Array.from(
          { length: count },
          (_, i): Row => ({
            a: from + i,
            createdAt: new Date(1_700_000_000_000 + 1000 * (((i * 7919) % 10_000) % 2000)),
          }),
        )
      const [staying, doomed, coming] = [tied(1, 10_000), tied(20_001, 1000), tied(30_001, 1000)]
      const source = memorySource([...staying, ...doomed], ['a'])
      const paginator = new CursorPagination()
      const last = (await sorted(source, paginator)).at(-1)
      const meanwhile = disturbance(
        source,
        doomed.filter((row) => source.idOf(row) !== last),
        coming,
        20,
      )
      const seen = await walkAll(paginator, source, { limit: 499, link, meanwhile })
      const [expected, old] = [staying.map(source.idOf), new Set(staying.map(source.idOf))]
      expect(seen.length).toBe(new Set(seen).size)
      expect(seen.filter((id) => old.has(id)).sort()).toEqual(expected.sort())
    },
  )
})

test('pages by number show everything once, in order, in both directions', async () => {
  await fc.assert(
    fc.asyncProperty(rowsFrom(1, 40), fc.integer({ min: 1, max: 9 }), fc.boolean(), async (rows, size, isSimple) => {
      const source = memorySource(rows, ['a'])
      const paginator = isSimple ? new PagePagination().withSimplePagination() : new PagePagination()
      const lastPage = Math.max(1, Math.ceil(rows.length / size))
      const forward = await walk({ paginator, source, from: { size }, link: 'next' })
      const back = await walk({ paginator, source, from: { size, number: lastPage }, link: 'prev' })
      expect(forward).toEqual(rows.map(source.idOf))
      expect(back).toEqual(forward)
    }),
  )
})

function compareBy(columns: readonly string[], a: Row, b: Row): number {
  for (const column of columns) {
    const [left, right] = [a[column], b[column]] as [number | bigint | string | Date, number | bigint | string | Date]
    if (left < right) return -1
    if (left > right) return 1
  }
  return 0
}
