import type { ModelMeta } from '../model/meta.ts'
import type { OrderTerm, Row, Where } from '../model/where.ts'

/** The members of the query parameter `page`, as sent: `{ number: '2', size: '10' }`. */
export type PageParams = Readonly<Record<string, unknown>>

/** A part of a collection. `where` narrows the collection, `order` replaces its order. */
export interface Slice {
  readonly where?: Where
  readonly order?: readonly OrderTerm[]
  readonly skip?: number
  readonly take: number
}

/**
 * The collection that is being paged, as the request may see it: filtered, scoped, ordered.
 * A paginator asks it for no more than it needs.
 */
export interface PageSource {
  rows(slice: Slice): Promise<readonly Row[]>
  count(): Promise<number>
  /** The row with this id if it is in the collection, else null; malformed ids are null as well. */
  find(id: string): Promise<Row | null>
  /** The id of a row, as in a resource object. */
  idOf(row: Row): string
  /** The columns of the id, in order: what makes an order total. */
  readonly idColumns: readonly string[]
  /** The order of the collection, the id included. */
  readonly order: readonly OrderTerm[]
}

/** What the schema and the server say about sizes. */
export interface PageLimits {
  /** The schema's `perPage`. */
  readonly perPage: number
  readonly maxPageSize: number
}

/** A page that was read. */
export interface Page {
  readonly rows: readonly Row[]
  /** What goes into the document's `meta`, nested as configured; null for none. */
  readonly meta: Readonly<Record<string, unknown>> | null
  /** The `page` parameters of each link, in the order of the document; a missing one does not exist. */
  readonly links: Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', PageParams>>>
}

/** A page that was asked for: parameters that were found legal, ready to be read. */
export interface PageRequest {
  /** The order that this page imposes: `sort` cannot be honoured beside it. */
  readonly order?: readonly OrderTerm[] | null
  read(source: PageSource): Promise<Page>
}

/** How a type is paginated. Frozen after construction, shared by every request. */
export interface Paginator {
  /** The names that the members of `page` may have. */
  readonly keys: readonly string[]
  /** The order that the strategy imposes (cursor pagination); null where `sort` is the client's. */
  readonly order: readonly OrderTerm[] | null
  /**
   * @throws {JsonApiError} 400 with `source.parameter` naming the exact key (`page[size]`) for unknown keys and unfitting values.
   */
  parse(params: PageParams, limits: PageLimits): PageRequest
  /**
   * Called at boot with the model of each type that is paginated so.
   * @returns warnings for the boot log: what will work, but badly.
   * @throws {Error} when it cannot work, with the cure.
   */
  check?(model: ModelMeta): readonly string[]
}
