import { unavailable } from '../../document/errors.ts'
import type { Store } from '../store.ts'
import { wrapStore } from '../wrap.ts'

/** The store of a request that writes: once its client has gone, nothing begins, and nothing is committed. */
export function whileAwaited(store: Store, isAwaited: () => boolean): Store {
  const check = () => {
    if (!isAwaited()) throw unavailable(1)
  }
  const checked = async <T>(work: () => Promise<T>): Promise<T> => {
    check()
    return work()
  }
  const { tryRun, enqueue } = store.lock
  return {
    ...wrapStore(store, {
      write: checked,
      async attempt(work) {
        check()
        const result = await work()
        check()
        return result
      },
    }),
    // A request whose client is gone leaves its place in a queue to the next one.
    lock: {
      tryRun: (key, work) => tryRun(key, () => checked(work)),
      enqueue: (key, work) => enqueue(key, () => checked(work)),
    },
  }
}
