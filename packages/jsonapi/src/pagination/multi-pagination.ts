import type { OrderTerm } from '../condition/order-term.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { IncludedPage, Page, PageLimits, PageParams, PageRequest, Paginator } from './paginator.ts'

/**
 * Several strategies for one type. The keys that a request sends choose: the first paginator that has all of them.
 * Keys that no single paginator has together are 400.
 *
 * @see https://jsonapi.org/format/#fetching-pagination
 * @example
 * import { CursorPagination } from 'prismapi/cursor-pagination'
 *
 * export default class PostSchema extends Schema<'Post'> {
 *   override pagination() {
 *     return new MultiPagination([new PagePagination(), new CursorPagination()])
 *   }
 * }
 */
export class MultiPagination implements Paginator {
  private readonly paginators: readonly Paginator[]

  /** @throws {Error} for an empty list. */
  constructor(paginators: readonly Paginator[]) {
    if (paginators.length === 0) throw new Error('new MultiPagination([]): pass at least one paginator.')
    this.paginators = [...paginators]
  }

  /** Those of all of them. */
  get keys(): readonly string[] {
    return [...new Set(this.paginators.flatMap(({ keys }) => keys))]
  }

  /** Null as soon as one of the strategies leaves the order to the client. */
  get order(): readonly OrderTerm[] | null {
    if (this.paginators.some(({ order }) => order === null)) return null
    return this.paginators[0]?.order ?? null
  }

  /** True as soon as one of them does. */
  get sealsCursors(): boolean {
    return this.paginators.some((paginator) => paginator.sealsCursors)
  }

  /** What each of them says. */
  check(model: ModelMeta): readonly string[] {
    return this.paginators.flatMap((paginator) => paginator.check?.(model) ?? [])
  }

  /** As the strategy does that knows the keys. */
  parse(params: PageParams, limits: PageLimits): PageRequest {
    return this.choose(Object.keys(params)).parse(params, limits)
  }

  /**
   * As the first strategy says that can go on in the order of what is included: the client's, wherever one leaves it.
   */
  included(page: IncludedPage): Pick<Page, 'meta' | 'links'> {
    const inOrder = this.order === null ? this.paginators.filter(({ order }) => !order) : this.paginators.slice(0, 1)
    const told = inOrder.flatMap((paginator) => paginator.included?.(page) ?? [])
    return told.find(({ links }) => links.next) ?? told[0] ?? { meta: null, links: {} }
  }

  // Where no paginator has every key, the one that has the most of them says which of the others are wrong.
  private choose(sent: readonly string[]): Paginator {
    const known = ({ keys }: Paginator) => sent.filter((key) => keys.includes(key)).length
    return this.paginators.reduce((best, paginator) => (known(paginator) > known(best) ? paginator : best))
  }
}
