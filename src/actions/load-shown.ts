import { attachPermissions } from '../auth/can.ts'
import { type Awaitable, after } from '../model/awaitable.ts'
import type { Query } from '../query/query.ts'
import { loadRelated } from '../read/loading/load.ts'
import type { Resource } from '../read/resource.ts'
import type { RequestContext } from './context.ts'

/** Loads what a document shows of resources beside their rows: their relations and, where that is told, what the caller may do. */
export function loadShown(ctx: RequestContext, resources: readonly Resource[], query: Query): Awaitable<unknown> {
  const loaded = loadRelated(ctx, resources, query)
  return ctx.server.showsCan ? after(loaded, () => attachPermissions(ctx, resources, query.include)) : loaded
}
