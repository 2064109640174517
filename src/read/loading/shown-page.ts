import type { Row } from '../../model/where.ts'
import type { OrderedList } from '../../pagination/ordered-list.ts'
import { defaultMetaStyle, toMeta } from '../../pagination/page-meta.ts'
import type { IncludedPage, Page } from '../../pagination/paginator.ts'
import type { IncludedCollection, Query } from '../../query/query.ts'
import { listOf } from '../find.ts'
import type { CollectionPlan } from '../plan.ts'
import type { ReadContext } from '../read-context.ts'

/** The page of a to-many relation that a resource shows inside of a document: how it goes on, and with which query. */
export interface ShownPage extends Pick<Page, 'meta' | 'links'>, Pick<Query, 'params'> {}

interface PageRows {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** Null for a collection that is shown whole and was not asked for by its size: there is nothing to tell. */
export function shownPage(
  ctx: ReadContext,
  plan: CollectionPlan,
  { size, isSized, params }: IncludedCollection,
  { rows, hasMore }: PageRows,
): ShownPage | null {
  if (!isSized && !hasMore) return null
  const { paginator } = plan.schema
  const page = paginator?.included?.(new ShownRows(ctx, plan, { rows, size, hasMore }))
  return { params, ...(page ?? { meta: toMeta({ hasMore, perPage: size }, defaultMetaStyle), links: {} }) }
}

// A class, as all that has a getter: CONTRIBUTING.md says why.
class ShownRows implements IncludedPage {
  readonly rows: readonly Row[]
  readonly size: number
  readonly hasMore: boolean
  private readonly ctx: ReadContext
  private readonly plan: CollectionPlan

  constructor(ctx: ReadContext, plan: CollectionPlan, { rows, size, hasMore }: PageRows & { readonly size: number }) {
    this.rows = rows
    this.size = size
    this.hasMore = hasMore
    this.ctx = ctx
    this.plan = plan
  }

  /** Only some pages speak of it. */
  get list(): OrderedList {
    return listOf(this.ctx, this.plan)
  }

  // Paginators take it apart.
  readonly idOf = (row: Row): string => this.plan.schema.id.format(row)
}
