import type { Price } from '../price/price.ts'
import { type RequestContext, withStore } from './context.ts'

/** The texts of so many rows may be searched inside of the event loop. */
const inlineSearches = 1000

/** Reads beside the event loop what would keep it from answering others, and everything else inside of it. */
export function aside<T>(
  ctx: RequestContext,
  { points, searched }: Pick<Price, 'points' | 'searched'>,
  work: (ctx: RequestContext) => T | Promise<T>,
): T | Promise<T> {
  const { beside } = ctx.store
  if (beside === null || (points <= beside.inlineCost && searched <= inlineSearches)) return work(ctx)
  return beside.read(async (reader) => work(withStore(ctx, { ...ctx.store, reader, beside: null })))
}
