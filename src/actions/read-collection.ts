import { type Awaitable, after } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import type { Page } from '../pagination/paginator.ts'
import { checkPrice } from '../price/check-price.ts'
import type { Query } from '../query/query.ts'
import { pageSource, readAll } from '../read/find.ts'
import { runReadHooks } from '../read/hooks.ts'
import type { CollectionPlan } from '../read/plan.ts'
import { type Resource, toResource } from '../read/resource.ts'
import { readStats, type Stats } from '../read/statistics.ts'
import type { RequestContext } from './context.ts'
import { loadShown } from './load-shown.ts'
import { onThread } from './on-thread.ts'

/** What was read of a collection: all of it, or one page. */
export interface Collection {
  readonly resources: readonly Resource[]
  readonly page: Page | null
  /** Figures of the whole collection; null where none are asked for. */
  readonly stats: Stats | null
}

/** @throws {JsonApiError} 400 where that costs too much. */
export function readCollection(ctx: RequestContext, plan: CollectionPlan, query: Query): Awaitable<Collection> {
  const { schema, where, order } = plan
  const priced = { schema, where, order, isWhole: query.stats.length > 0 }
  const subject = { query, plan: priced, schemas: [schema], parents: query.page?.asks?.take ?? 1 }
  return after(checkPrice(ctx, subject), (price) => onThread(ctx, price, (within) => readRows(within, plan, query)))
}

/** The same, whatever it costs. */
async function readRows(ctx: RequestContext, plan: CollectionPlan, query: Query): Promise<Collection> {
  const model = plan.schema.model.name
  await runReadHooks(ctx, model, 'reading')
  const [page, stats] = await Promise.all([
    query.page?.read(pageSource(ctx, plan)),
    query.stats.length > 0 ? readStats(ctx, plan, query.stats) : null,
  ])
  const rows: readonly Row[] = page ? page.rows : await readAll(ctx, plan)
  await runReadHooks(ctx, model, 'read', rows)
  const resources = rows.map((row) => toResource(plan.schema, row))
  await loadShown(ctx, resources, query)
  return { resources, page: page ?? null, stats }
}
