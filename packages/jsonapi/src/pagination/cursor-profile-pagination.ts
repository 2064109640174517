import type { OrderTerm } from '../condition/order-term.ts'
import { type Failures, throwAll } from '../document/error.ts'
import { maxSizeExceeded, rangeNotSupported, unsupportedSort } from '../document/errors.ts'
import { say } from '../document/text.ts'
import { cursorProfile, own } from '../document/types.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import type { CursorPosition } from './cursor-seal.ts'
import { checkCursorKey } from './keyset.ts'
import { beyond, type Ordered, reverseKeys, type SortKey, sortKeys, toOrder } from './ordered-list.ts'
import {
  checkMost,
  checkPerPage,
  countedTo,
  countFailures,
  countTo,
  defaultCountLimit,
  failure,
  keyFailures,
  maxSizeOf,
  sentCount,
} from './pagination.ts'
import type { IncludedPage, Page, PageLimits, PageParams, PageRequest, PageSource, Paginator } from './paginator.ts'

/**
 * Pages by the cursor-pagination profile of JSON:API: `page[size]=10&page[after]=<cursor>`,
 * `page[before]=<cursor>`, or both, for what lies between them. The client's `sort` is honoured, in either
 * direction of each field; rows are compared by it and, where it leaves two of them equal, by their ids.
 *
 * A cursor is a text that only the server understands: where a row stands in the order. It outlives
 * its row, is good for every collection of the type in that order, and cannot be forged. Each
 * resource has its own in `meta.page.cursor`. Cursors are sealed with `cursorSecret` of `createApi`.
 *
 * The links are `first`, `prev`, `next` and `last`; `prev` and `next` are always there, and null where there is no
 * such page. Answers of a server that declares 1.1 name the profile in `jsonapi.profile` and in their Content-Type.
 *
 * 400 with `source.parameter`: a size that is not an integer from 1, or exceeds
 * the maximum (`max-size-exceeded`); a cursor that this server did not make for
 * this type and order; an order that pages cannot be made of (`unsupported-sort`).
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
   * The same, but counts no more than `most` resources, so that it costs the same however long the collection is.
   * Where there are more, `meta.page.estimatedTotal.bestGuess` has that number in the place of `meta.page.total`.
   *
   * @throws {Error} for what is no integer from 1 on.
   */
  withBoundedTotal(most: number = defaultCountLimit): this {
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
    if (isRanked(source.order)) return readRanked(source, params)
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
  if (!isRanked(order) && !sortKeys(order, ordered)) throw unsupportedSort()
}

/** Rows in the order of a search have no value to be compared by: their cursors say how many come before. */
const isRanked = (order: readonly OrderTerm[]): boolean => order.some(({ search }) => search)

async function readRanked(source: PageSource, { size, after, before }: CursorPageParams): Promise<Page> {
  if (before !== null) throw failure('before', say`Page parameter before means nothing in the order of a search.`)
  const place = after === null ? [0] : source.list.open(after)
  const [skip] = Array.isArray(place) ? place : []
  if (typeof skip !== 'number')
    throw failure('after', say`Page parameter after is not a cursor of this collection in this order.`)
  const found = await source.rows({ skip, take: size + 1 })
  const rows = found.slice(0, size)
  const cursors = rows.map((_, i) => source.list.seal([skip + i + 1]))
  const next = found.length > size ? { size, after: cursors.at(-1) } : null
  return { rows, cursors, profile: cursorProfile, meta: null, links: { first: { size }, prev: null, next } }
}

function sentCursor(params: PageParams, key: string): string | null {
  const cursor = own(params, key)
  return typeof cursor === 'string' && cursor !== '' ? cursor : null
}

/** What a page is asked by: the cursors as they were sent. */
interface CursorPageParams {
  readonly size: number
  readonly after: string | null
  readonly before: string | null
}

/** What was read, in the order of the collection. */
interface Part {
  readonly rows: readonly Row[]
  /** More rows lie behind these in the direction of reading; in a range, within it. */
  readonly goesOn: boolean
  /** Both undefined where nothing was sent. */
  readonly after: CursorPosition | undefined
  readonly before: CursorPosition | undefined
}

async function readPart(source: PageSource, { size, ...cursors }: CursorPageParams): Promise<Part> {
  const keys = keysOf(source)
  const after = await readPlace(source, 'after', cursors.after)
  const before = await readPlace(source, 'before', cursors.before)
  // Nothing follows the end.
  if (after === null) return { rows: [], goesOn: false, after, before }
  const isBackward = isBackwards({ after, before })
  const found = await source.rows({
    where: { AND: [...(after ? [beyond(keys, after)] : []), ...(before ? [beyond(reverseKeys(keys), before)] : [])] },
    order: toOrder(isBackward ? reverseKeys(keys) : keys),
    columns: keys.map(({ column }) => column),
    take: size + 1,
  })
  const rows = found.slice(0, size)
  return { rows: isBackward ? rows.reverse() : rows, goesOn: found.length > size, after, before }
}

const isRange = ({ after, before }: Pick<Part, 'after' | 'before'>): boolean =>
  after !== undefined && before !== undefined

const isBackwards = ({ after, before }: Pick<Part, 'after' | 'before'>): boolean =>
  after === undefined && before !== undefined

/** The links of a page; null is a page that does not exist. `cursors` are those of the rows. */
function linksOf(part: Part, cursors: readonly string[], source: PageSource, params: CursorPageParams): Page['links'] {
  const { size } = params
  const last = { size, before: source.list.seal(null) }
  return {
    first: { size },
    prev: prevOf(part, cursors[0], params, last),
    next: nextOf(part, cursors.at(-1), params),
    last,
  }
}

function prevOf(
  part: Part,
  first: string | undefined,
  { size, before }: CursorPageParams,
  last: PageParams,
): PageParams | null {
  if (part.after === undefined) return isBackwards(part) && part.goesOn ? { size, before: first } : null
  // Whether rows lie in front of a cursor would take another query to know; where none do, that page is empty.
  if (first !== undefined) return { size, before: first }
  return before === null ? last : { size, before }
}

function nextOf(part: Part, last: string | undefined, { size, after }: CursorPageParams): PageParams | null {
  if (part.before === undefined) return part.goesOn ? { size, after: last } : null
  if (part.before === null) return isRange(part) && part.goesOn ? { size, after: last } : null
  if (last !== undefined) return { size, after: last }
  return after === null ? { size } : { size, after }
}

// Beside the rest of an URL there is no room for longer ones.
const maxTextLength = 1500

/** The cursor of a row that has the columns of the order. */
export function cursorOf(row: Row, { list, idOf }: Pick<PageSource, 'list' | 'idOf'>): string {
  const values = keysOf({ list }).map(({ column }) => row[column])
  const length = values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
  return list.seal(length > maxTextLength ? idOf(row) : values)
}

async function readPlace(
  source: PageSource,
  key: 'after' | 'before',
  cursor: string | null,
): Promise<readonly unknown[] | null | undefined> {
  if (cursor === null) return undefined
  const place = source.list.open(cursor)
  if (place === undefined)
    throw failure(key, say`Page parameter ${key} is not a cursor of this collection in this order.`)
  if (typeof place !== 'string') return place
  const row = await source.find(place)
  if (!row) throw failure(key, say`Page parameter ${key} names a resource that is not in this collection any more.`)
  return keysOf(source).map(({ column }) => row[column])
}

function keysOf({ list }: Pick<PageSource, 'list'>): readonly SortKey[] {
  if (!list.keys) throw new Error('Rows cannot be compared by the order of this collection.')
  return list.keys
}
