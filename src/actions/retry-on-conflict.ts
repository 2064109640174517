import { unavailable } from '../document/errors.ts'
import { StaleRow } from '../write/write.ts'
import type { RequestContext } from './context.ts'

const attempts = 8

/**
 * Does the work. Where another request changed a row between judging and writing it, the work runs again from its beginning,
 * as if it had come later. The key names what is written: retries of one key run one at a time, before all that comes later
 * under it, because in parallel they would keep conflicting.
 */
export async function retryOnConflict<T>(
  { store: { lock }, observer }: Pick<RequestContext, 'store' | 'observer'>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await lock.tryRun(key, work)
  } catch (error) {
    if (!(error instanceof StaleRow)) throw error
  }
  return lock.enqueue(key, async () => {
    for (let tried = 2; ; tried++) {
      observer?.repeated('staleRow')
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof StaleRow)) throw error
        if (tried === attempts) throw unavailable(1)
      }
      // This time another process was faster, and its writes do not wait here.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * tried))
    }
  })
}
