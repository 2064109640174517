import { unavailable } from '../document/errors.ts'
import type { RequestContext } from '../request/context.ts'
import { RowChanged } from '../store/writing/write.ts'

const attempts = 8

/**
 * Does the work. Where a row was changed by another request between judging and writing it, the work begins anew, as if it
 * had come later. The key names what is written: work that was overtaken is done before all that comes later under it.
 */
export async function beginAnew<T>(
  { store: { queues }, tracing }: Pick<RequestContext, 'store' | 'tracing'>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await queues.pass(key, work)
  } catch (error) {
    if (!(error instanceof RowChanged)) throw error
  }
  return queues.wait(key, async () => {
    for (let tried = 2; ; tried++) {
      tracing?.repeated('overtaken')
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof RowChanged)) throw error
        if (tried === attempts) throw unavailable(1)
      }
      // Who was faster this time writes from another process, and does not wait here.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * tried))
    }
  })
}
