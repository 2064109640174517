import type { HookRequest } from '../schema/resource-schema.ts'
import type { RequestContext } from './context.ts'

/** What the application's own code may know of the request. */
export const hookRequest = (ctx: Pick<RequestContext, 'user' | 'method' | 'at'>): HookRequest => new KnownRequest(ctx)

// A class, as all that has a getter: CONTRIBUTING.md says why.
class KnownRequest implements HookRequest {
  readonly user: unknown
  readonly method: string
  readonly #at: RequestContext['at']

  constructor({ user, method, at }: Pick<RequestContext, 'user' | 'method' | 'at'>) {
    this.user = user
    this.method = method
    this.#at = at
    Object.freeze(this)
  }

  get url(): URL {
    return this.#at.url
  }
}
