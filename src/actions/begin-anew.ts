import { unavailable } from '../document/errors.ts'
import type { RequestContext } from '../request/context.ts'
import { RowChanged } from '../store/write.ts'

const attempts = 5

/**
 * Does the work. Where a row was changed by another request between judging and writing it, the work begins anew, as if it
 * had come later.
 */
export async function beginAnew<T>(
  { store, tracing }: Pick<RequestContext, 'store' | 'tracing'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await (tried === 1 ? work() : store.inTurn(work))
    } catch (error) {
      if (!(error instanceof RowChanged)) throw error
      if (tried === attempts) throw unavailable(1)
      tracing?.repeated('overtaken')
    }
  }
}
