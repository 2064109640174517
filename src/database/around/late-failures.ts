import type { Store } from '../store.ts'
import { wrapStore } from '../wrap.ts'
import { runAfterCommit } from './after-commit.ts'

/** The store of a request to which failures after the commit are told, in place of the application. */
export const tellingLateFailures = (store: Store, onFailure: (error: unknown) => void): Store =>
  wrapStore(store, { afterCommit: (work) => () => runAfterCommit([work], onFailure) })
