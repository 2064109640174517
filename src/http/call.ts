import type { Context } from 'koa'
import type { AtomicOperation } from '../actions/atomic/parse-operations.ts'
import type { Store } from '../database/store.ts'
import { type Extensions, noExtensions } from '../document/profiles.ts'
import { bothObservers, type Observer } from '../request/observer.ts'
import { isReading, type Operation } from '../request/operation.ts'
import type { RequestUrl } from '../request/request-url.ts'
import type { Route } from '../request/routes.ts'
import type { ServerContext } from '../server/server-context.ts'
import type { Api } from './api.ts'
import type { Received } from './request/received.ts'
import { requestUrl } from './request/request-url.ts'
import type { Handler } from './stage.ts'

/** One request and its answer. It goes from stage to stage, and each writes down what the later ones need. */
export class Call {
  readonly koa: Context
  readonly api: Api

  /** Below the base path of the server; null where the request target is no URL. */
  path: string | null = null
  /** What answers where the path is one of the server itself, and of no type. */
  page: Handler | null = null
  /** Does the path take operations of the extension `https://jsonapi.org/ext/atomic`? */
  isAtomic = false
  /** Null where nothing of a type is served at the path. */
  route: Route | null = null
  /** Null where the route does not have the method. */
  operation: Operation | null = null

  /** Does who asks for `text/event-stream` get a stream here, of what changes in the document? */
  hasStream = false

  /** Null where nothing observes the request. */
  observer: Observer | null = null
  /** The work ends before anything is carried out. */
  isDryRun = false
  store: Store

  /** The extensions and profiles that the answer applies, an error too. */
  negotiated: Extensions = noExtensions
  /** Null for a guest; undefined as long as it is not known. */
  user: unknown = undefined
  /** The body that was sent; null where there is none. */
  received: Received | null = null
  /** What a form of a page was made into, in the place of the body; null for all other requests. */
  bytes: Buffer | null = null
  /** The parsed body; undefined where none was sent. */
  body: unknown = undefined
  context: ServerContext | null = null
  private sentTo: RequestUrl | null = null
  /** Those of an atomic request, once they are parsed. */
  operations: readonly AtomicOperation[] | null = null

  constructor(koa: Context, api: Api) {
    this.koa = koa
    this.api = api
    this.store = api.store
  }

  /** Has one more observer, within what those before it measure. */
  observe(observer: Observer): void {
    this.observer = this.observer ? bothObservers(this.observer, observer) : observer
  }

  /** Does it ask for more than reading? */
  get mayWrite(): boolean {
    return this.isAtomic || (this.operation !== null && !isReading(this.operation))
  }

  /** Where it was sent, which pages change before anything asks. */
  get at(): RequestUrl {
    this.sentTo ??= requestUrl(this.koa, this.api.server.baseUrl)
    return this.sentTo
  }
}

/** The context of a call behind the stage that makes it. */
export function contextOf({ context }: Call): ServerContext {
  if (context === null)
    throw new Error('http/jsonapi.ts: a stage needs the context of the request. Move it behind makeContext.')
  return context
}
