import type { AfterCommit, Store } from '../store.ts'
import { doLate } from './late-work.ts'

/** The store of a request of whose failures after the commit somebody wants to be told by the request. */
export const tellingLateFailures = (store: Store, onFailure: (error: unknown) => void): Store => ({
  ...store,
  write: (work, onUnique) =>
    store.write((transaction) => {
      const afterCommit = (late: AfterCommit) => transaction.afterCommit(() => doLate([late], onFailure))
      return work({ ...transaction, afterCommit })
    }, onUnique),
  plain: store.plain && { ...store.plain, finish: (late) => doLate(late, onFailure) },
})
