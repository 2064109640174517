import type { Row } from '../model/where.ts'
import { defaultMetaStyle, toMeta } from '../pagination/page-meta.ts'
import type { Page } from '../pagination/paginator.ts'
import type { IncludedCollection, Query } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import { listOf } from './find.ts'
import type { CollectionPlan } from './plan.ts'

/** The page of a to-many relation that a resource shows inside of a document: how it goes on, and with which query. */
export interface ShownPage extends Pick<Page, 'meta' | 'links'>, Pick<Query, 'params'> {}

interface Shown {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** Null for a collection that is shown whole and was not asked for by its size: there is nothing to tell. */
export function shownPage(
  ctx: RequestContext,
  plan: CollectionPlan,
  { size, isSized, params }: IncludedCollection,
  { rows, hasMore }: Shown,
): ShownPage | null {
  if (!isSized && !hasMore) return null
  const { id, paginator } = plan.schema
  const page = paginator?.included?.({
    rows,
    size,
    hasMore,
    // Only some pages speak of it.
    get list() {
      return listOf(ctx, plan)
    },
    idOf: (row) => id.format(row),
  })
  return { params, ...(page ?? { meta: toMeta({ hasMore, perPage: size }, defaultMetaStyle), links: {} }) }
}
