import type { Store } from '../store.ts'
import { wrapStore } from '../wrap.ts'
import { runAfterCommit } from './after-commit.ts'

/** The store of a request, to which failures after the commit are reported in place of the application. */
export const reportingLateFailures = (store: Store, onFailure: (error: unknown) => void): Store =>
  wrapStore(store, { afterCommit: (work) => () => runAfterCommit([work], onFailure) })
