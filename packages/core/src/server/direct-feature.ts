import type { ActionResult, RequestContext } from '../actions/context.ts'
import type { Store } from '../database/store.ts'
import type { IncomingRequest } from './incoming-request.ts'

/** What an optional feature does for whoever asks, by HTTP and from inside of the process. */
export interface DirectFeature {
  /** Wraps the store of a request once its user is known. The last feature in the list is the innermost. */
  readonly store?: (store: Store, request: IncomingRequest) => Store
  /** Carries a call with a key out once. */
  readonly once?: (call: KeyedCall) => Promise<KeptAnswer>
}

/** A call that is made once, however often it comes. */
export interface KeyedCall {
  /** What is asked, and by whom. */
  readonly request: IncomingRequest
  /** What tells the call from all others of its caller. */
  readonly key: string
  /** Runs `preparing` hooks before the transaction begins. */
  readonly prepare: () => Promise<void>
  /** One attempt, without retry, for work that is a part of a transaction. */
  readonly attempt: (within: RequestContext) => Promise<ActionResult>
}

/** An answer as it is kept. */
export interface KeptAnswer {
  /** The HTTP status. */
  readonly status: number
  /** The text of its document; null where it has none. */
  readonly body: string | null
}
