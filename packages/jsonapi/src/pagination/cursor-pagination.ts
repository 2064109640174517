import type { OrderTerm } from '../condition/order-term.ts'
import { throwAll } from '../document/error.ts'
import { say } from '../document/text.ts'
import { type Awaitable, after } from '../model/awaitable.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import { checkCursorColumn, following, keysetColumns, keysetOrder, reverse } from './keyset.ts'
import {
  checkKey,
  countFailures,
  failure,
  idFailures,
  keyFailures,
  maxSizeOf,
  Pagination,
  sentId,
} from './pagination.ts'
import type { IncludedPage, Page, PageLimits, PageParams, PageRequest, PageSource } from './paginator.ts'

export { CursorProfilePagination } from './cursor-profile-pagination.ts'

/** The resource that a page lies beside. */
interface Cursor {
  readonly side: 'after' | 'before'
  readonly key: string
  readonly id: string
}

interface RequestedPage {
  readonly limit: number
  readonly cursor: Cursor | null
}

/** What was read, in the order of the collection; a side has more when rows lie beyond the page. */
interface Part {
  readonly rows: readonly Row[]
  readonly hasPrev: boolean
  readonly hasNext: boolean
}

/**
 * Pages beside a resource (docs/specification.md#pages-by-cursor): `page[limit]=10&page[after]=<id>`
 * or `page[before]=<id>`; `before` wins when both are sent. Rows that are inserted or deleted
 * between two pages shift nothing, and a page costs the same at any depth.
 *
 * Newest first: the order is the column `createdAt`, then the id, both descending.
 * It is part of the strategy, so `sort` is refused. The model needs an index over
 * both, and the column should not be nullable: the server warns at boot.
 *
 * The meta has `from` and `to` (the ids of the first and the last resource, null on a page without resources),
 * `hasMore` (is there more in the direction asked for) and `perPage`. The links are `first`, `prev` and `next`.
 *
 * A limit that is not an integer from 1, or exceeds the maximum, and an id that the collection
 * does not have (malformed, deleted, hidden, filtered out) are 400 with `source.parameter`.
 *
 * @see https://jsonapi.org/format/#fetching-pagination
 * @example
 * import { CursorPagination } from 'prismapi/cursor-pagination'
 *
 * export default class PostSchema extends Schema<'Post'> {
 *   override pagination() {
 *     return new CursorPagination().withCursorColumn('publishedAt').withDefaultPerPage(20)
 *   }
 * }
 */
export class CursorPagination extends Pagination {
  private limitKey = 'limit'
  private afterKey = 'after'
  private beforeKey = 'before'
  private column = 'createdAt'
  private direction: OrderTerm['direction'] = 'desc'

  /** `limit`, `after` and `before`, unless they are renamed. */
  get keys(): readonly string[] {
    return [this.limitKey, this.afterKey, this.beforeKey]
  }

  /** By the cursor column. */
  get order(): readonly OrderTerm[] {
    return keysetOrder([this.column], this.direction)
  }

  /**
   * Renames `page[limit]`.
   *
   * @throws {Error} for an empty name, and one with brackets.
   */
  withLimitKey(key: string): this {
    this.limitKey = checkKey('withLimitKey', key)
    return this
  }

  /**
   * Renames `page[after]`.
   *
   * @throws {Error} for an empty name, and one with brackets.
   */
  withAfterKey(key: string): this {
    this.afterKey = checkKey('withAfterKey', key)
    return this
  }

  /**
   * Renames `page[before]`.
   *
   * @throws {Error} for an empty name, and one with brackets.
   */
  withBeforeKey(key: string): this {
    this.beforeKey = checkKey('withBeforeKey', key)
    return this
  }

  /** The column, as the Prisma schema names it, that the collection is ordered by; ties are ordered by the id. */
  withCursorColumn(column: string): this {
    this.column = column
    return this
  }

  /** Smallest first, of the column and of the id. */
  withAscending(): this {
    this.direction = 'asc'
    return this
  }

  /**
   * Warns of a column with which rows may be lost, and of an order that no index serves.
   *
   * @throws {Error} where the model has no such column, or its values have no order.
   */
  override check(model: ModelMeta): readonly string[] {
    return [...super.check(model), ...checkCursorColumn(model, this.column)]
  }

  /** 400 for a limit and ids that do not fit, and for other members. */
  parse(params: PageParams, limits: PageLimits): PageRequest {
    throwAll([
      ...keyFailures(params, this.keys),
      ...countFailures(params, this.limitKey, maxSizeOf(limits)),
      ...idFailures(params, this.afterKey),
      ...idFailures(params, this.beforeKey),
    ])
    const requested = { limit: this.sizeOf(params, this.limitKey, limits), cursor: this.cursorOf(params) }
    return { order: this.order, asks: { take: requested.limit + 1 }, read: (source) => this.read(source, requested) }
  }

  /** What lies behind the last row; null where it has no value in the cursor column, and so is no cursor. */
  protected override behind({ rows, size, idOf }: IncludedPage): PageParams | null {
    const last = rows.at(-1)
    return last && last[this.column] !== null ? { [this.limitKey]: size, [this.afterKey]: idOf(last) } : null
  }

  private cursorOf(params: PageParams): Cursor | null {
    const before = sentId(params, this.beforeKey)
    if (before !== null) return { side: 'before', key: this.beforeKey, id: before }
    const after = sentId(params, this.afterKey)
    return after === null ? null : { side: 'after', key: this.afterKey, id: after }
  }

  private read(source: PageSource, requested: RequestedPage): Awaitable<Page> {
    return after(this.readPart(source, requested), (part) => this.page(source, part, requested))
  }

  private page(source: PageSource, { rows, hasPrev, hasNext }: Part, { limit, cursor }: RequestedPage): Page {
    const idOf = (row: Row | undefined) => (row ? source.idOf(row) : null)
    const [from, to] = [idOf(rows[0]), idOf(rows.at(-1))]
    return {
      rows,
      meta: this.meta({ from, to, hasMore: cursor?.side === 'before' ? hasPrev : hasNext, perPage: limit }),
      links: {
        first: { [this.limitKey]: limit },
        ...(hasPrev && { prev: { [this.limitKey]: limit, [this.beforeKey]: from } }),
        ...(hasNext && { next: { [this.limitKey]: limit, [this.afterKey]: to } }),
      },
    }
  }

  private readPart(source: PageSource, requested: RequestedPage): Awaitable<Part> {
    const { cursor } = requested
    return cursor
      ? after(this.findAnchor(source, cursor), (anchor) => this.readBeside(source, requested, anchor))
      : this.readBeside(source, requested, null)
  }

  // The resource that the cursor names was found in the collection: on its side of the page there is more.
  private readBeside(source: PageSource, { limit, cursor }: RequestedPage, anchor: Row | null): Awaitable<Part> {
    const columns = keysetColumns(this.column, source.idColumns)
    const isBefore = cursor?.side === 'before'
    const direction = isBefore ? reverse(this.direction) : this.direction
    const where = anchor && following(columns, anchor, direction)
    const order = keysetOrder(columns, direction)
    return after(source.rows({ ...(where && { where }), order, take: limit + 1 }), (found) => {
      const rows = found.slice(0, limit)
      const goesOn = found.length > limit
      const isBesideCursor = cursor !== null && rows.length > 0
      if (isBefore) return { rows: rows.reverse(), hasPrev: goesOn, hasNext: isBesideCursor }
      return { rows, hasPrev: isBesideCursor, hasNext: goesOn }
    })
  }

  private findAnchor(source: PageSource, { key, id }: Cursor): Awaitable<Row> {
    return after(source.find(id), (row) => {
      // Without a value in the cursor column the row has no place in the order.
      if (!row || row[this.column] === null)
        throw failure(key, say`Page parameter ${key} does not name a resource of this collection.`)
      return row
    })
  }
}
