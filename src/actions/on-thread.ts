import type { Price } from '../price/price.ts'
import { type RequestContext, withStore } from './context.ts'

/** The texts of so many rows may be searched inside of the event loop. */
const inlineSearches = 1000

/**
 * Reads beside the event loop what would keep it from answering others, and everything else inside of it. A price is the most that a
 * read may cost: so it is tried there, for a moment, unless it searches texts.
 */
export function onThread<T>(
  ctx: RequestContext,
  { points, searched }: Pick<Price, 'points' | 'searched'>,
  work: (ctx: RequestContext) => T | Promise<T>,
): T | Promise<T> {
  const { threads } = ctx.store
  if (threads === null || (points <= threads.inlineCost && searched <= inlineSearches)) return work(ctx)
  const isWorthTrying = searched <= inlineSearches
  return threads.read(async (reader) => work(withStore(ctx, { ...ctx.store, reader, threads: null })), isWorthTrying)
}
