import type { RequestUrl } from '@prismapi/jsonapi/request/hook-context'
import type { Operation } from '@prismapi/jsonapi/request/operation'
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
