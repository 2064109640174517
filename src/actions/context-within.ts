import { storeWithin } from '../database/prisma/store-within.ts'
import type { Transaction } from '../database/store.ts'
import { type RequestContext, withStore } from './context.ts'

/** The context of a request whose work is done inside of a transaction, and judged by what is written there so far. */
export const contextWithin = (ctx: RequestContext, transaction: Transaction): RequestContext =>
  withStore(ctx, storeWithin(transaction, ctx.store))
