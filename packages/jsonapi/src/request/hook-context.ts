import type { Link } from '../document/types.ts'
import type { BasePathParams } from '../model/register.ts'
import type { HookRequest } from '../schema/filters.ts'

/**
 * Where a request was sent. To parse it costs as much as to read a row, and hardly any request needs it.
 *
 * @internal
 */
export interface RequestUrl {
  readonly url: URL
  /** Its query with the question mark, empty where there is none. */
  readonly search: string
  /** The parameters of its query, where it was not asked for by a URL; left out, they are those of `search`. */
  readonly parameters?: readonly Parameter[]
  /** How the links of the response are written; null where they are plain URLs. */
  readonly link?: LinkWriter | null
}

/**
 * Writes a link to a URL.
 *
 * @internal
 */
export type LinkWriter = (url: string) => Link

/** One parameter of a query, decoded: `filter[title][contains]=x`. */
export interface Parameter {
  /** The whole key, with plain brackets. */
  readonly key: string
  /** `filter` */
  readonly family: string
  /** What stands in the brackets: `['title', 'contains']`. */
  readonly path: readonly string[]
  /** What stands behind the `=`. */
  readonly value: string
}

/** Where a request would be sent that the server makes of another. */
export const requestedAt = (url: URL): RequestUrl => ({ url, search: url.search })

/** The parameter by which a client makes a document smaller, as it was sent where it was. */
export function sizeParameter({ url }: RequestUrl): string {
  if (url.searchParams.get('include')) return 'include'
  const keys = [...url.searchParams.keys()]
  return keys.find((key) => key === 'page[size]' || key === 'page[limit]') ?? 'page'
}

/** What hooks of the application are told of a request. */
export interface HookContext {
  /** What `authenticate` returned; null for a guest. */
  readonly user: unknown
  readonly method: string
  readonly at: RequestUrl
  readonly server: { readonly params: BasePathParams }
}

/** What the application's own code may know of the request. */
export const hookRequest = (ctx: HookContext): HookRequest => new KnownRequest(ctx)

// A class, as all that has a getter: CONTRIBUTING.md says why.
class KnownRequest implements HookRequest {
  readonly user: unknown
  readonly method: string
  readonly params: BasePathParams
  readonly #at: RequestUrl

  constructor({ user, method, at, server }: HookContext) {
    this.user = user
    this.method = method
    this.params = server.params
    this.#at = at
    Object.freeze(this)
  }

  get url(): URL {
    return this.#at.url
  }
}

/** The same context with other parts, frozen as the first one was. */
export const withParts = <Context extends object>(ctx: Context, parts: Partial<Context>): Context =>
  Object.freeze({ ...ctx, ...parts })
