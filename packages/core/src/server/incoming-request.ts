import type { RequestUrl } from '@prismapi/jsonapi/request/hook-context'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import type { ActionResult, RequestContext } from '../actions/context.ts'
import type { Store } from '../database/store.ts'
import type { CompiledServer } from './compile.ts'
import type { ServerContext } from './serving.ts'

/** What a caller asks a server, by HTTP or from inside of the process: as much of it as features know. */
export interface IncomingRequest {
  /** The server that is asked. */
  readonly server: CompiledServer
  /** Null for a guest; undefined as long as it is not known. */
  readonly user: unknown
  /** The name of the job that acts without policies and scopes; null for users and guests. */
  readonly job: string | null
  /** Null where a path has no such method. */
  readonly operation: Operation | null
  /** Does it ask for more than reading? */
  readonly mayWrite: boolean
  /** Its URL, or the one that it would be sent to. */
  readonly at: RequestUrl
  /** Null until its user is known. */
  readonly context: ServerContext | null
  /** Is it a part of a transaction that this very caller has begun? */
  readonly isWithin: boolean
  /** By which the trail names it; null where it has none. */
  readonly requestId: string | null
}

/** What an optional feature does for whoever asks, by HTTP and from inside of the process. */
export interface DirectFeature {
  /** Wraps the store of a request once its user is known. The last feature in the list is the innermost. */
  readonly store?: (store: Store, request: IncomingRequest) => Store
  /** True: `store` refuses reads, and never changes what they find; left out, their answers are not kept. */
  readonly refusesReads?: boolean
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
