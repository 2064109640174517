import { atomicExtension } from '@prismapi/jsonapi/document/types'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { BasePathParams, User } from '@prismapi/jsonapi/model/register'
import { mediaType } from '@prismapi/openapi/responses'
import type { TestBody } from './body.ts'
import { type Call, callOf, type TestHeaders, withHeader } from './call.ts'
import { operationsDocument, type TestOperation } from './operations.ts'
import { openTarget, type TestSource } from './target.ts'

/** What `api` is told beside the application. */
export interface ApiOptions<U> {
  /** What all paths begin with, `/api/v1`; by default the path of the URL that is asked, or nothing. */
  readonly base?: string
  /** The values of the parameters that `base` has: of `/api/:organization/v1` the `organization`. */
  readonly params?: BasePathParams
  /** The headers by which a user is known, `{ Authorization: … }`; needed for `as`. */
  readonly signIn?: (user: U) => Awaitable<Readonly<Record<string, string>>>
  /** Headers of every request; null takes away one that would be sent. */
  readonly headers?: Readonly<Record<string, string | null>>
}

/**
 * Asks an API as one caller. A request is sent when it is awaited, with the media type of JSON:API in `Accept`, and in
 * `Content-Type` if it has a body (JSON:API, *Content Negotiation*).
 *
 * A path is relative to `base`. You can pass a link of a document: its path counts, and not its origin.
 */
export interface Api<U = User> extends AsyncDisposable {
  /** The same API for another caller; null is a guest. */
  as(user: U | null): Api<U>
  /** The same API where the parameters of `base` have other values: as a client of another tenant asks. */
  params(params: BasePathParams): Api<U>
  /** The same API with another header in every request; null takes away one that would be sent. */
  header(name: string, value: string | null): Api<U>
  /** Reads. */
  get(path: string): Call
  /** Creates a resource, adds to a relationship, or carries out an action. */
  post(path: string, body?: TestBody): Call
  /** Changes a resource, or replaces a relationship. */
  patch(path: string, body?: TestBody): Call
  /** Deletes a resource, or removes from a relationship. */
  delete(path: string, body?: TestBody): Call
  /** Any other verb. */
  request(method: string, path: string, body?: TestBody): Call
  /** Atomic operations, all or none, at `operations` below `base` (JSON:API extension *Atomic Operations*). */
  operations(operations: readonly TestOperation[]): Call
  /** Ends the server that was started for it. Otherwise it ends with the process, which it does not keep alive. */
  close(): Promise<void>
}

/**
 * An API to call in tests: the application listens on a free port of 127.0.0.1 when the first request is awaited. Pass
 * a URL to call a server that is running.
 *
 * @throws {Error} when a request is awaited: where the application cannot be made, or does not answer.
 *
 * @example
 * const client = api(app, { base: '/api/v1', signIn: ({ id }) => ({ Authorization: `Bearer ${tokenOf(id)}` }) })
 * const answer = await client.as(ann).get('/posts').include('author')
 * expectFetchedMany(answer, [post])
 */
export function api<U = User>(source: TestSource, options: ApiOptions<U> = {}): Api<U> {
  const { signIn, params = {}, headers = {} } = options
  const base = withSlash(options.base ?? basePath(source))
  const target = openTarget(source)
  const lowerCased = Object.entries(headers).reduce((all, [name, value]) => withHeader(all, name, value), {})

  const callerOf = (own: Own): Api<U> => {
    const { params, credentials, headers } = own
    const request = (method: string, path: string, body?: TestBody): Call =>
      callOf({
        target,
        method,
        path: pathOf(path, () => filled(base, params)),
        parameters: new Map(),
        headers,
        credentials,
        ...(body !== undefined && { body }),
      })
    return Object.freeze({
      as: (user: U | null) => callerOf({ ...own, credentials: credentialsOf(user, signIn) }),
      params: (params: BasePathParams) => callerOf({ ...own, params }),
      header: (name: string, value: string | null) => callerOf({ ...own, headers: withHeader(headers, name, value) }),
      get: (path: string) => request('GET', path),
      post: (path: string, body?: TestBody) => request('POST', path, body),
      patch: (path: string, body?: TestBody) => request('PATCH', path, body),
      delete: (path: string, body?: TestBody) => request('DELETE', path, body),
      request,
      operations: (operations: readonly TestOperation[]) =>
        request('POST', '/operations', operationsDocument(operations))
          .header('Accept', atomicMediaType)
          .header('Content-Type', atomicMediaType),
      close: target.close,
      [Symbol.asyncDispose]: target.close,
    })
  }
  return callerOf({ params, credentials: guest, headers: lowerCased })
}

/** What one client has of its own. */
interface Own {
  readonly params: BasePathParams
  readonly credentials: Credentials
  readonly headers: TestHeaders
}

const atomicMediaType = `${mediaType};ext="${atomicExtension}"`

type Credentials = () => Promise<Readonly<Record<string, string>>>

const guest: Credentials = async () => ({})

function credentialsOf<U>(user: U | null, signIn: ApiOptions<U>['signIn']): Credentials {
  if (user === null) return guest
  if (!signIn) throw new Error('signIn is missing, so that as() cannot make credentials. Give api() a signIn.')
  return async () => signIn(user)
}

const basePath = (source: TestSource): string =>
  typeof source === 'string' || source instanceof URL ? new URL(source).pathname : ''

/** `/api/v1`, however it was written; nothing for the root. */
const withSlash = (base: string): string => base.replace(/^\/*(?=[^/])/, '/').replace(/\/+$/, '')

/** `/api/:organization/v1` with a value in the place of each parameter. */
const filled = (base: string, params: BasePathParams): string =>
  base.replaceAll(/\/:([A-Za-z]\w*)(?![^/])/g, (_, name: string) => {
    const value = (params as Readonly<Record<string, string>>)[name]
    if (!value)
      throw new Error(`base is ${base}, and ${name} has no value. Pass it: api(app, { params: { ${name}: … } }).`)
    return `/${encodeURIComponent(value)}`
  })

function pathOf(path: string, base: () => string): string {
  const isWhole = URL.canParse(path)
  if (!isWhole && !path.startsWith('/')) throw new Error(`${path}: no path. Begin it with "/", or give a whole URL.`)
  // Spaces and the like, which no request line can have, come out of it percent-encoded.
  const { pathname, search } = new URL(isWhole ? path : `http://127.0.0.1${base()}${path}`)
  return pathname + search
}
