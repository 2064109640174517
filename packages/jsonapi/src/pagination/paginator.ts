import type { OrderTerm } from '../condition/order-term.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { Row, Where } from '../model/where.ts'
import type { Ordered, OrderedList } from './ordered-list.ts'

/**
 * The members of the query parameter `page`, as sent: `{ number: '2', size: '10' }`.
 *
 * @see https://jsonapi.org/format/#fetching-pagination
 */
export type PageParams = Readonly<Record<string, unknown>>

/** A part of a collection. `where` narrows the collection, `order` replaces its order. */
export interface Slice {
  /** A condition beside the collection's own. */
  readonly where?: Where
  /** An order instead of the collection's own. */
  readonly order?: readonly OrderTerm[]
  /** How many rows are left out at the beginning; by default none. */
  readonly skip?: number
  /** Columns to read beside those that are shown. */
  readonly columns?: readonly string[]
  /** How many rows are read at most. */
  readonly take: number
}

/**
 * The collection that is being paged, as the request may see it: filtered, scoped, ordered.
 * A paginator asks it for no more than it needs. Answers are there at once where the database is in the process.
 */
export interface PageSource {
  /** Rows of the collection, in its order; a query. */
  rows(slice: Slice): Awaitable<readonly Row[]>
  /**
   * How many rows the collection has; a query. It ends where it has found `most` of them; left out, all are counted.
   */
  count(most?: number): Awaitable<number>
  /** The row with this id if it is in the collection, else null; malformed ids are null as well. */
  find(id: string): Awaitable<Row | null>
  /** The id of a row, as in a resource object. */
  idOf(row: Row): string
  /** The columns of the id, in order: what makes an order total. */
  readonly idColumns: readonly string[]
  /** The order of the collection, the id included. */
  readonly order: readonly OrderTerm[]
  /** The collection in that order, as cursors speak of it. */
  readonly list: OrderedList
}

/** What the schema and the server say about sizes. */
export interface PageLimits {
  /** The schema's `perPage`. */
  readonly perPage: number
  /** The largest page that may be asked for. */
  readonly maxPageSize: number
}

/**
 * A page that was read.
 *
 * @see https://jsonapi.org/format/#fetching-pagination
 */
export interface Page {
  /** What is shown, in this order. */
  readonly rows: readonly Row[]
  /** What goes into the document's `meta`, nested as configured; null for none. */
  readonly meta: Readonly<Record<string, unknown>> | null
  /**
   * The `page` parameters of each link, in the order of the document;
   * a missing one, or one that is null, does not exist.
   */
  readonly links: Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', PageParams | null>>>
  /** The cursor of each row, for its `meta.page.cursor`. */
  readonly cursors?: readonly string[]
  /** The URI of the profile that the page follows, for a server that declares 1.1 to name. */
  readonly profile?: string
}

/**
 * The first page of a collection that stands inside of another document: below one of the resources that it belongs to.
 */
export interface IncludedPage {
  /** What is shown, with the columns of the order as far as they are the rows' own. */
  readonly rows: readonly Row[]
  /** How many rows the page may have. */
  readonly size: number
  /** Does the collection go on behind the page. */
  readonly hasMore: boolean
  /** The collection in its order, as cursors speak of it. */
  readonly list: OrderedList
  /** The id of a row, as in a resource object. */
  idOf(row: Row): string
}

/** The rows of a page, and those before it that have to be passed over. */
export interface AskedRows {
  /** How many rows are read at most. */
  readonly take: number
  /** How many rows are passed over; left out, none. */
  readonly skip?: number
  /**
   * Does the page say how many rows the collection has; a number where
   * no more than so many are counted. Left out, it does not.
   */
  readonly counted?: boolean | number
}

/** A page that was asked for: parameters that were found legal, ready to be read. */
export interface PageRequest {
  /** The order that this page imposes: `sort` cannot be honoured beside it. */
  readonly order?: readonly OrderTerm[] | null
  /**
   * Called with the order of the collection, without the id that completes it.
   * @throws {JsonApiError} 400 with `source.parameter` being `sort` when there are no pages in that order.
   */
  checkOrder?(order: readonly OrderTerm[], ordered: Ordered): void
  /** How many rows the page reads, for the price of the request; left out, the largest page of the type. */
  readonly asks?: AskedRows
  /** Reads the page: at once where the source answers at once. */
  read(source: PageSource): Awaitable<Page>
}

/**
 * How a type is paginated: what `pagination()` of a schema class returns. One value is shared by all requests.
 *
 * @see https://jsonapi.org/format/#fetching-pagination
 */
export interface Paginator {
  /** The names that the members of `page` may have. */
  readonly keys: readonly string[]
  /** The order that the strategy imposes (cursor pagination); null where `sort` is the client's. */
  readonly order: readonly OrderTerm[] | null
  /** It makes cursors by the list's `seal`: they are as long-lived as the application's `cursorSecret`. */
  readonly sealsCursors?: boolean
  /**
   * Reads what a client sent.
   *
   * @throws {JsonApiError} 400 with `source.parameter` naming the
   * exact key (`page[size]`) for unknown keys and unfitting values.
   */
  parse(params: PageParams, limits: PageLimits): PageRequest
  /**
   * What a relationship tells of the page of it that is included: its meta, and as the link `next` the parameters with
   * which the relationship's own URL goes on behind the page. Without this method there is no such link.
   */
  included?(page: IncludedPage): Pick<Page, 'meta' | 'links'>
  /**
   * Called at boot with the model of each type that is paginated so.
   * @returns warnings for the boot log: what will work, but badly.
   * @throws {Error} when it cannot work, with the cure.
   */
  check?(model: ModelMeta): readonly string[]
}
