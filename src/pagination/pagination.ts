import type { OrderTerm } from '../condition/order-term.ts'
import type { ModelMeta } from '../model/meta.ts'
import { defaultMetaStyle, type MetaStyle, toMeta } from './page-meta.ts'
import { maxSize, sentCount } from './page-params.ts'
import type { IncludedPage, Page, PageLimits, PageParams, PageRequest, Paginator } from './paginator.ts'

/**
 * What the strategies have in common: the spelling of the page's meta, and the default size.
 * Configure a paginator where it is made; the server reads it from then on. Extend it for a strategy of your own.
 *
 * @see https://jsonapi.org/format/#fetching-pagination
 * @example
 * // Everything at once, up to the largest page.
 * class WholePagination extends Pagination {
 *   readonly keys = []
 *   readonly order = null
 *   parse(_params: PageParams, { maxPageSize }: PageLimits): PageRequest {
 *     return {
 *       read: async (source) => ({ rows: await source.rows({ take: maxPageSize }), meta: null, links: {} }),
 *     }
 *   }
 * }
 */
export abstract class Pagination implements Paginator {
  private metaStyle: MetaStyle = defaultMetaStyle
  private defaultPerPage: number | null = null

  /** The names that the members of `page` may have. */
  abstract readonly keys: readonly string[]
  /** The order that the strategy imposes; null where `sort` is the client's. */
  abstract readonly order: readonly OrderTerm[] | null
  /** Reads what a client sent; 400 with `source.parameter` for what does not fit. */
  abstract parse(params: PageParams, limits: PageLimits): PageRequest

  /** The parameters of the page behind one that is included; null where there is no way to ask for it. */
  protected behind(_page: IncludedPage): PageParams | null {
    return null
  }

  /** The meta has `hasMore` and `perPage`. */
  included(page: IncludedPage): Pick<Page, 'meta' | 'links'> {
    const next = page.hasMore ? this.behind(page) : null
    return { meta: this.meta({ hasMore: page.hasMore, perPage: page.size }), links: { ...(next && { next }) } }
  }

  /**
   * The number of resources on a page when the request names none, instead of the schema's `perPage`.
   *
   * @throws {Error} for what is no integer from 1 on.
   */
  withDefaultPerPage(perPage: number): this {
    this.defaultPerPage = checkPerPage(perPage)
    return this
  }

  /** Names the members of the page's meta in snake case: `current_page`. */
  withSnakeCaseMeta(): this {
    return this.styleMeta({ memberCase: 'snake' })
  }

  /** Names the members of the page's meta in dash case: `current-page`. */
  withDashCaseMeta(): this {
    return this.styleMeta({ memberCase: 'dash' })
  }

  /**
   * Puts the page's meta under `meta.<key>` instead of `meta.page`.
   *
   * @throws {Error} for an empty name.
   */
  withMetaKey(key: string): this {
    if (key === '') throw new Error("withMetaKey(''): pass a name, or call withoutNestedMeta().")
    return this.styleMeta({ key })
  }

  /** Puts the members of the page's meta directly into the top-level `meta`. */
  withoutNestedMeta(): this {
    return this.styleMeta({ isNested: false })
  }

  /** Answers without page meta; the links stay. */
  withoutMeta(): this {
    return this.styleMeta({ isShown: false })
  }

  /**
   * Called once per type at boot.
   *
   * @returns warnings: what will work, but badly.
   * @throws {Error} when the strategy cannot work as configured, with the cure.
   */
  check(_model: ModelMeta): readonly string[] {
    const clash = this.keys.find((key, i) => this.keys.indexOf(key) !== i)
    if (clash === undefined) return []
    throw new Error(`${this.constructor.name}: two page parameters are called ${clash}. Give one of them another name.`)
  }

  /** The members as the page's meta, spelt and nested as configured; null where there is none. */
  protected meta(members: Readonly<Record<string, unknown>>): Page['meta'] {
    return toMeta(members, this.metaStyle)
  }

  /** The size asked for, or the default, which never exceeds what may be asked for. */
  protected sizeOf(params: PageParams, key: string, limits: PageLimits): number {
    return sentCount(params, key) ?? Math.min(this.defaultPerPage ?? limits.perPage, maxSizeOf(limits))
  }

  private styleMeta(change: Partial<MetaStyle>): this {
    this.metaStyle = { ...this.metaStyle, ...change }
    return this
  }
}

export const maxSizeOf = ({ maxPageSize }: PageLimits): number => Math.min(maxPageSize, maxSize)

/** A default page size, as `withDefaultPerPage` was given it. */
export function checkPerPage(perPage: number): number {
  if (Number.isInteger(perPage) && perPage >= 1) return perPage
  throw new Error(`withDefaultPerPage(${perPage}): pass an integer of at least 1.`)
}

/** The name of a page parameter, as a configuration method was given it. */
export function checkKey(method: string, key: string): string {
  if (key !== '' && !/[[\]]/.test(key)) return key
  throw new Error(`${method}('${key}'): pass the name of a page parameter, without brackets: 'limit' for page[limit].`)
}
