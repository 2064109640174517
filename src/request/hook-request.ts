import type { HookRequest } from '../schema/hook-request.ts'
import type { RequestUrl } from './request-url.ts'

/** What hooks of the application are told of a request. */
export interface HookContext {
  /** What `authenticate` returned; null for a guest. */
  readonly user: unknown
  readonly method: string
  readonly at: RequestUrl
}

/** What the application's own code may know of the request. */
export const hookRequest = (ctx: HookContext): HookRequest => new KnownRequest(ctx)

// A class, as all that has a getter: CONTRIBUTING.md says why.
class KnownRequest implements HookRequest {
  readonly user: unknown
  readonly method: string
  readonly #at: RequestUrl

  constructor({ user, method, at }: HookContext) {
    this.user = user
    this.method = method
    this.#at = at
    Object.freeze(this)
  }

  get url(): URL {
    return this.#at.url
  }
}
