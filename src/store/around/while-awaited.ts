import { unavailable } from '../../document/errors.ts'
import type { Queues } from '../queues.ts'
import type { PlainWriter, Store } from '../store.ts'

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
    queues: skipping(store.queues, check),
  }
}

// Its place in a queue is for those whom somebody waits for.
const skipping = ({ pass, wait }: Queues, check: () => void): Queues => {
  const checked =
    <T>(work: () => Promise<T>) =>
    async (): Promise<T> => {
      check()
      return work()
    }
  return { pass: (key, work) => pass(key, checked(work)), wait: (key, work) => wait(key, checked(work)) }
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
