import { throwAll } from '../document/error.ts'
import { type Awaitable, after, together } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import {
  checkKey,
  checkMost,
  countedTo,
  countFailures,
  countTo,
  defaultCountLimit,
  keyFailures,
  maxNumber,
  maxSizeOf,
  Pagination,
  sentCount,
} from './pagination.ts'
import type { IncludedPage, Page, PageLimits, PageParams, PageRequest, PageSource } from './paginator.ts'

interface RequestedPage {
  readonly number: number
  readonly size: number
}

/**
 * Pages by number: `page[number]=2&page[size]=10` (docs/specification.md#pages-by-number).
 *
 * The meta has `currentPage`, `from`, `lastPage`, `perPage`, `to` and `total`, all integers; `from` and `to` are
 * positions that start at 1, and 0 on a page without resources. The links are `first`, `prev`, `next`, `last`.
 * The client's `sort` is honoured.
 *
 * A number or a size that is not an integer from 1, or exceeds the maximum, is 400 with `source.parameter`.
 * A page beyond the last one is empty.
 *
 * @see https://jsonapi.org/format/#fetching-pagination
 * @example
 * export default class PostSchema extends Schema<'Post'> {
 *   override pagination() {
 *     return new PagePagination().withDefaultPerPage(50)
 *   }
 * }
 *
 * @example
 * // A default for many types
 * export class MyPagination extends PagePagination {
 *   constructor() {
 *     super()
 *     this.withSnakeCaseMeta().withoutNestedMeta()
 *   }
 * }
 */
export class PagePagination extends Pagination {
  private pageKey = 'number'
  private perPageKey = 'size'
  private mostCounted = Infinity

  /** None: `sort` is the client's. */
  readonly order = null

  /** `number` and `size`, unless they are renamed. */
  get keys(): readonly string[] {
    return [this.pageKey, this.perPageKey]
  }

  /**
   * Renames `page[number]`.
   *
   * @throws {Error} for an empty name, and one with brackets.
   */
  withPageKey(key: string): this {
    this.pageKey = checkKey('withPageKey', key)
    return this
  }

  /**
   * Renames `page[size]`.
   *
   * @throws {Error} for an empty name, and one with brackets.
   */
  withPerPageKey(key: string): this {
    this.perPageKey = checkKey('withPerPageKey', key)
    return this
  }

  /**
   * Never counts the collection: `lastPage`, `total` and the link `last` are absent, and one row more than the page
   * shows answers whether there is a next one.
   */
  withSimplePagination(): this {
    this.mostCounted = 0
    return this
  }

  /**
   * Counts no more than `most` resources, so that a total costs the same however long the collection is.
   * Where there are more, `totalMoreThan` says so in the place of `total`: `lastPage` and the link `last` are
   * absent but on the last page, and one row more than the page shows answers whether there is a next one.
   *
   * @throws {Error} for what is no integer from 1 on.
   */
  withBoundedTotal(most: number = defaultCountLimit): this {
    this.mostCounted = checkMost(most)
    return this
  }

  /** 400 for a number and a size that do not fit, and for other members. */
  parse(params: PageParams, limits: PageLimits): PageRequest {
    throwAll([
      ...keyFailures(params, this.keys),
      ...countFailures(params, this.pageKey, maxNumber),
      ...countFailures(params, this.perPageKey, maxSizeOf(limits)),
    ])
    const number = sentCount(params, this.pageKey) ?? 1
    const requested = { number, size: this.sizeOf(params, this.perPageKey, limits) }
    const asks = { take: requested.size, skip: skipOf(requested), counted: countedTo(this.mostCounted) }
    return {
      asks,
      read: (source) =>
        this.mostCounted === 0 ? this.readSimple(source, requested) : this.readCounted(source, requested),
    }
  }

  /** The second page. */
  protected override behind({ size }: IncludedPage): PageParams {
    return this.link(2, size)
  }

  private readSimple(source: PageSource, requested: RequestedPage): Awaitable<Page> {
    return after(rowsAt(source, requested, requested.size + 1), (found) => this.simplePage(found, requested))
  }

  private simplePage(found: readonly Row[], requested: RequestedPage, more: object = {}): Page {
    const { number, size } = requested
    const rows = found.slice(0, size)
    return {
      rows,
      meta: this.meta({ currentPage: number, ...positions(requested, rows.length), perPage: size, ...more }),
      links: {
        first: this.link(1, size),
        ...(number > 1 && { prev: this.link(number - 1, size) }),
        ...(found.length > size && { next: this.link(number + 1, size) }),
      },
    }
  }

  private readCounted(source: PageSource, requested: RequestedPage): Awaitable<Page> {
    const { mostCounted: most } = this
    const { size } = requested
    const read = together<readonly Row[] | number>([
      () => rowsAt(source, requested, most === Infinity ? size : size + 1),
      () => countTo(source, most),
    ])
    return after(read, ([rows, counted]) => {
      const found = rows as readonly Row[]
      if ((counted as number) > most) return this.uncountedPage(found, requested)
      return this.countedPage(found.slice(0, size), counted as number, requested)
    })
  }

  /** Of a collection that is too long to be counted: only its last page knows where it ends. */
  private uncountedPage(found: readonly Row[], requested: RequestedPage): Page {
    const { size } = requested
    const { to } = positions(requested, Math.min(found.length, size))
    if (found.length > 0 && found.length <= size) return this.countedPage(found, to, requested)
    return this.simplePage(found, requested, { totalMoreThan: Math.max(this.mostCounted, to) })
  }

  private countedPage(rows: readonly Row[], counted: number, requested: RequestedPage): Page {
    const { number, size } = requested
    const { from, to } = positions(requested, rows.length)
    // The two queries are two moments: a row that is shown must not be missing from the total.
    const total = Math.max(counted, to)
    const lastPage = Math.max(1, Math.ceil(total / size))
    return {
      rows,
      meta: this.meta({ currentPage: number, from, lastPage, perPage: size, to, total }),
      links: {
        first: this.link(1, size),
        ...(number > 1 && { prev: this.link(number - 1, size) }),
        ...(number < lastPage && { next: this.link(number + 1, size) }),
        last: this.link(lastPage, size),
      },
    }
  }

  private link(number: number, size: number): PageParams {
    return { [this.pageKey]: number, [this.perPageKey]: size }
  }
}

const skipOf = ({ number, size }: RequestedPage): number => (number - 1) * size

// No table reaches that far, and the offset would not fit the database's integer.
const rowsAt = (source: PageSource, requested: RequestedPage, take: number): Awaitable<readonly Row[]> =>
  skipOf(requested) > maxNumber ? [] : source.rows({ skip: skipOf(requested), take })

const positions = (requested: RequestedPage, shown: number) =>
  shown === 0 ? { from: 0, to: 0 } : { from: skipOf(requested) + 1, to: skipOf(requested) + shown }
