/** What a hook may know of the request. */
export interface HookRequest {
  /** What `authenticate` returned; null for a guest. */
  readonly user: unknown
  /** The HTTP method. */
  readonly method: string
  /** The URL as it was asked for, with the server's public origin. */
  readonly url: URL
}
