import type { Price } from '../price/price.ts'
import { type RequestContext, withStore } from './context.ts'

/**
 * Reads beside the event loop what would keep it from answering others, and everything else inside of it. A price is the most that a
 * read may cost: so it is tried there, for a moment. What searches texts is not, whatever its price: how long they are is known of few
 * of them, and nothing ends the search within one.
 */
export function onThread<T>(
  ctx: RequestContext,
  { points, searched }: Pick<Price, 'points' | 'searched'>,
  work: (ctx: RequestContext) => T | Promise<T>,
): T | Promise<T> {
  const { threads } = ctx.store
  if (threads === null || (points <= threads.inlineCost && searched === 0)) return work(ctx)
  return threads.read(async (reader) => work(withStore(ctx, { ...ctx.store, reader, threads: null })), searched === 0)
}
