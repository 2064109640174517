import { unavailable } from '../document/errors.ts'
import type { PlainWriter, Store } from './store.ts'

/** The store of a request that writes: once nobody waits for its answer any more, nothing begins, and nothing is committed. */
export function whileAwaited(store: Store, isAwaited: () => boolean): Store {
  const check = () => {
    if (!isAwaited()) throw unavailable(1)
  }
  return {
    ...store,
    write: (work, onUnique) =>
      store.write(async (transaction) => {
        check()
        const result = await work(transaction)
        check()
        return result
      }, onUnique),
    plain: store.plain && plainly(store.plain, check),
  }
}

const plainly = (plain: PlainWriter, check: () => void): PlainWriter => ({
  async insert(plan) {
    check()
    return plain.insert(plan)
  },
  async update(plan) {
    check()
    return plain.update(plan)
  },
  finish: (late) => plain.finish(late),
})
