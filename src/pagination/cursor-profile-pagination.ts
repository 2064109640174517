import type { OrderTerm } from '../condition/order-term.ts'
import { maxSizeExceeded, rangeNotSupported, unsupportedSort } from '../document/errors.ts'
import { type Failures, throwAll } from '../document/failures.ts'
import { own } from '../document/members.ts'
import { cursorProfile } from '../document/profiles.ts'
import { say } from '../document/text.ts'
import type { ModelMeta } from '../model/meta.ts'
import { checkMost, countedTo, countTo, usualMost } from './bounded-total.ts'
import { checkCursorKey } from './cursor-column.ts'
import { type CursorPageParams, cursorOf, isRange, linksOf, readPart } from './cursor-profile-page.ts'
import { countFailures, failure, keyFailures, sentCount } from './page-params.ts'
import { checkPerPage, maxSizeOf } from './pagination.ts'
import type { IncludedPage, Page, PageLimits, PageParams, PageRequest, PageSource, Paginator } from './paginator.ts'
import { type Ordered, sortKeys } from './sort-keys.ts'

/**
 * Pages by the cursor-pagination profile of JSON:API: `page[size]=10&page[after]=<cursor>`, `page[before]=<cursor>`, or both,
 * for what lies between them. The client's `sort` is honoured, in either direction of each field; rows are compared by it
 * and, where it leaves two of them equal, by their ids.
 *
 * A cursor is a text that only the server understands: where a row stands in the order. It outlives its row, is good for
 * every collection of the type in that order, and cannot be forged. Each resource has its own in `meta.page.cursor`.
 * Cursors are sealed with `cursorSecret` of `createApi`.
 *
 * The links are `first`, `prev`, `next` and `last`; `prev` and `next` are always there, and null where there is no such page.
 * Answers of a server that declares 1.1 name the profile in `jsonapi.profile` and in their Content-Type.
 *
 * 400 with `source.parameter`: a size that is not an integer from 1, or exceeds the maximum (`max-size-exceeded`); a cursor
 * that this server did not make for this type and order; an order that pages cannot be made of (`unsupported-sort`).
 *
 * @see https://jsonapi.org/profiles/ethanresnick/cursor-pagination/
 * @example
 * import { CursorProfilePagination } from 'prismapi/cursor-pagination'
 *
 * export default class PostSchema extends Schema<'Post'> {
 *   override pagination() {
 *     return new CursorProfilePagination().withDefaultPerPage(20)
 *   }
 * }
 */
export class CursorProfilePagination implements Paginator {
  private defaultPerPage: number | null = null
  private hasRanges = true
  private mostCounted = 0

  /** The members of `page`. */
  readonly keys = ['size', 'after', 'before']
  /** None: `sort` is the client's. */
  readonly order = null
  /** Its cursors are sealed with the application's `cursorSecret`. */
  readonly sealsCursors = true

  /**
   * The number of resources on a page when the request names none, instead of the schema's `perPage`.
   *
   * @throws {Error} for what is no integer from 1 on.
   */
  withDefaultPerPage(perPage: number): this {
    this.defaultPerPage = checkPerPage(perPage)
    return this
  }

  /** Refuses `page[after]` beside `page[before]` (`range-pagination-not-supported`). */
  withoutRanges(): this {
    this.hasRanges = false
    return this
  }

  /** Tells in `meta.page.total` how many resources the collection has, which costs a second query. */
  withTotal(): this {
    this.mostCounted = Infinity
    return this
  }

  /**
   * The same, but counts no more than `most` resources, so that it costs the same however long the collection is. Where there are
   * more, `meta.page.estimatedTotal.bestGuess` has that number in the place of `meta.page.total`.
   *
   * @throws {Error} for what is no integer from 1 on.
   */
  withBoundedTotal(most: number = usualMost): this {
    this.mostCounted = checkMost(most)
    return this
  }

  /** @throws {Error} where rows cannot be compared by a column of the id. */
  check(model: ModelMeta): readonly string[] {
    for (const column of model.key) checkCursorKey(model, column)
    return []
  }

  /** 400 for a size and cursors that do not fit, and for other members. */
  parse(params: PageParams, limits: PageLimits): PageRequest {
    throwAll([...keyFailures(params, this.keys), ...this.failures(params, limits)])
    const [after, before] = [sentCursor(params, 'after'), sentCursor(params, 'before')]
    const perPage = after !== null && before !== null ? Infinity : (this.defaultPerPage ?? limits.perPage)
    const size = sentCount(params, 'size') ?? Math.min(perPage, maxSizeOf(limits))
    const asks = { take: size + 1, counted: countedTo(this.mostCounted) }
    return { checkOrder, asks, read: (source) => this.read(source, { size, after, before }) }
  }

  /** As on a page of its own, both links are there, unless pages cannot be made of the order. */
  included({ rows, size, hasMore, list, idOf }: IncludedPage): Pick<Page, 'meta' | 'links'> {
    const last = hasMore ? rows.at(-1) : undefined
    const links = () => ({ prev: null, next: last ? { size, after: cursorOf(last, { list, idOf }) } : null })
    return { meta: { page: { hasMore, perPage: size } }, links: list.keys ? links() : {} }
  }

  private *failures(params: PageParams, limits: PageLimits): Failures {
    yield* countFailures(params, 'size', Infinity)
    const max = maxSizeOf(limits)
    if ((sentCount(params, 'size') ?? 0) > max) yield maxSizeExceeded('page[size]', max)
    for (const key of ['after', 'before']) {
      if (Object.hasOwn(params, key) && sentCursor(params, key) === null)
        yield failure(key, say`Page parameter ${key} must be a cursor.`)
    }
    if (this.hasRanges || !Object.hasOwn(params, 'after') || !Object.hasOwn(params, 'before')) return
    yield rangeNotSupported('page[before]')
  }

  private async read(source: PageSource, params: CursorPageParams): Promise<Page> {
    const { mostCounted: most } = this
    const [part, total] = await Promise.all([readPart(source, params), most > 0 ? countTo(source, most) : null])
    const { rows } = part
    const cursors = rows.map((row) => cursorOf(row, source))
    const page = {
      ...(total !== null && (total > most ? { estimatedTotal: { bestGuess: most } } : { total })),
      ...(isRange(part) && part.goesOn && { rangeTruncated: true }),
    }
    return { rows, cursors, profile: cursorProfile, meta: { page }, links: linksOf(part, cursors, source, params) }
  }
}

function checkOrder(order: readonly OrderTerm[], ordered: Ordered): void {
  if (!sortKeys(order, ordered)) throw unsupportedSort()
}

function sentCursor(params: PageParams, key: string): string | null {
  const cursor = own(params, key)
  return typeof cursor === 'string' && cursor !== '' ? cursor : null
}
