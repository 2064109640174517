import type { Reader } from '../database/reader.ts'
import type { Store } from '../database/store.ts'
import { wrap, wrapStore } from '../database/wrap.ts'
import type { Preparation } from '../request/preparation.ts'
import { preparingFirst } from '../write/preparing.ts'
import { contextWithin, type RequestContext, withStore } from './context.ts'

/** A write is about to begin whose policies or rules have read rows that others may have changed by now. */
class JudgedByOthers extends Error {}

/**
 * Does a write. Its policies and rules judge before the transaction begins, so that no writer waits for what they deny. Where
 * they have read rows beside the one that is written, all of it is done again inside of the transaction, which no other write
 * comes between.
 */
export async function judgedInside<T>(ctx: RequestContext, work: (ctx: RequestContext) => Promise<T>): Promise<T> {
  const { preparation, store } = ctx
  const reader = askedReader(store.reader, preparation)
  try {
    return await work(withStore(ctx, guarded({ ...store, reader }, preparation)))
  } catch (error) {
    if (!(error instanceof JudgedByOthers)) throw error
  }
  return preparingFirst(() => store.write((transaction) => work(contextWithin(ctx, transaction))))
}

/** A reader for policies and rules, which find out by counting what the row's own columns do not decide. */
const askedReader = (reader: Reader, preparation: Preparation): Reader =>
  wrap(reader, (plan, read) => {
    if (plan.kind === 'count') preparation.hasReadOthers = true
    return read()
  })

const guarded = (store: Store, preparation: Preparation): Store =>
  wrapStore(store, {
    async write(write) {
      if (preparation.hasReadOthers) throw new JudgedByOthers('The write begins again inside of its transaction.')
      return write()
    },
  })
