import type { AbilityOf } from '../auth/ability.ts'
import type { Extensions } from '../document/profiles.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { Served } from '../server/serving.ts'
import type { Store } from '../store/store.ts'
import type { Limits } from './limits.ts'
import type { Precondition } from './precondition.ts'
import type { RequestUrl } from './request-url.ts'
import type { Tracing } from './tracing.ts'

/**
 * All that the stages of one request share; made by `http/build-context.ts`, frozen, passed as the first parameter.
 * Types only: this is the one file that everybody may import from, because a context is the sum of the parts.
 */
export interface RequestContext {
  readonly server: CompiledServer
  readonly limits: Limits
  /** What `authenticate` returned; null for a guest. */
  readonly user: unknown
  readonly method: string
  readonly at: RequestUrl
  /** The parsed body; undefined where none was sent. */
  readonly body: unknown
  /** The extensions and profiles that the client asked for and the answer applies (JSON:API 1.1). */
  readonly applied: Extensions
  /** What the serving phase registered for this request: scopes, hooks, authorizers. */
  readonly served: Served
  /** This request's CASL ability for a model: built at the first call, kept for the request. */
  readonly abilityOf: AbilityOf
  readonly store: Store
  /** What the client says of the resource that it wants to change; null where that is nothing. */
  readonly precondition: Precondition | null
  /** Follows this request, for spans and `Server-Timing`; null where nobody does. */
  readonly tracing: Tracing | null
}
