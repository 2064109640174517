import { type Awaitable, after } from '../model/awaitable.ts'
import { priceOfShown } from '../price/price.ts'
import type { Query } from '../query/query.ts'
import { loadRelated } from '../read/loading/load.ts'
import type { Resource } from '../read/resource.ts'
import type { RequestContext } from './context.ts'
import { onThread } from './on-thread.ts'

/** Loads what a document shows of resources beside their rows: their relations and, where that is told, what the caller may do. */
export function loadShown(ctx: RequestContext, resources: readonly Resource[], query: Query): Awaitable<unknown> {
  const loaded = loadAside(ctx, resources, query)
  const { permissions } = ctx.server
  return permissions ? after(loaded, () => permissions.attach(ctx, resources, query.include)) : loaded
}

/** Loads the relations that a query includes, beside the event loop where there are many. */
export function loadAside(ctx: RequestContext, resources: readonly Resource[], query: Query): Awaitable<unknown> {
  if (ctx.store.threads === null || (query.include.size === 0 && query.counts.size === 0))
    return loadRelated(ctx, resources, query)
  const schemas = [...new Set(resources.map(({ schema }) => schema))]
  const price = priceOfShown(ctx, schemas, { query, parents: resources.length })
  return onThread<unknown>(ctx, price, (within) => loadRelated(within, resources, query))
}
