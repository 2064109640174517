import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, payloadTooLarge } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { type Extensions, noExtensions } from '@prismapi/jsonapi/document/types'
import type { LinkWriter, RequestUrl } from '@prismapi/jsonapi/request/hook-context'
import { bothObservers, type Observer } from '@prismapi/jsonapi/request/observer'
import { findOperation, isReading, type Operation, type Route } from '@prismapi/jsonapi/request/operation'
import type { Context } from 'koa'
import type { AtomicOperation } from '../actions/atomic/parse-operations.ts'
import type { Store } from '../database/store.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { IncomingRequest } from '../server/incoming-request.ts'
import type { ServerContext } from '../server/serving.ts'
import type { Api } from './api.ts'
import type { Handler } from './plugin.ts'
import type { Place } from './throttling.ts'

/**
 * One request and its answer. It goes from stage to stage, and each writes down what the later ones need.
 *
 * @example
 * const isOfGuest = (call: Call): boolean => call.user === null
 */
export class Call implements IncomingRequest {
  /** The context of Koa: its request and its response. */
  readonly koa: Context
  /** The server that answers, and what its requests share. */
  readonly api: Api
  /** Who asks by HTTP is a user or a guest. */
  readonly job = null
  readonly isWithin = false

  /** Below the base path of the server; null where the request target is no URL. */
  path: string | null = null
  /** What answers where the path is one of the server itself, and of no type. */
  page: Handler | null = null
  /** Does the path take operations of the extension for atomic operations? */
  isAtomic = false
  /** Null where nothing of a type is served at the path. */
  route: Route | null = null
  /** Null where the route does not have the method. */
  operation: Operation | null = null

  /** True if this URL can answer `text/event-stream` with changes of the document. */
  hasStream = false

  /** Null where nothing observes the request. */
  observer: Observer | null = null
  /** The work ends before anything is carried out. */
  isDryRun = false
  /** Its place among dear requests; null where no client waits for it, as for what streams look at. */
  place: Place | null = null
  /** What the request asks the database by. */
  store: Store

  /** What a feature answers with in the place of a document: `text/csv`. Null where `Accept` is about documents. */
  mediaType: string | null = null
  /** The extensions and profiles that the answer applies, an error too. */
  negotiated: Extensions = noExtensions
  /** Null for a guest; undefined as long as it is not known. */
  user: unknown = undefined
  /** The body that was sent; null where there is none. */
  received: ReceivedBody | null = null
  /** The JSON that a form of a page was made into, in the place of what was sent; null for all other requests. */
  formBody: Buffer | null = null
  /** The parsed body; undefined where none was sent. */
  body: unknown = undefined
  /** Null before the stage that makes it. */
  context: ServerContext | null = null
  private sentTo: RequestUrl | null = null
  /** Those of an atomic request, once they are parsed. */
  operations: readonly AtomicOperation[] | null = null

  /** The framework makes one for each request. */
  constructor(koa: Context, api: Api) {
    this.koa = koa
    this.api = api
    this.store = api.store
  }

  /** Has one more observer, within what those before it measure. */
  observe(observer: Observer): void {
    this.observer = this.observer ? bothObservers(this.observer, observer) : observer
  }

  /** Goes on as a request for the same path with another query, before anything has asked what it asks. */
  ask(query: string, link: LinkWriter | null): void {
    const { koa, api } = this
    const search = query === '' ? '' : `?${query}`
    if (koa.method !== 'HEAD') koa.method = 'GET'
    koa.url = pathOf(koa) + search
    koa.originalUrl = (koa.originalUrl.split('?', 1)[0] ?? '') + search
    // What was sent has been read.
    for (const name of ofBodies) delete koa.req.headers[name]
    this.received = null
    this.sentTo = new LazyUrl(koa.originalUrl, api.server.baseUrl, link)
    this.operation = this.route && findOperation(this.route, koa.method)
  }

  get server(): CompiledServer {
    return this.api.server
  }

  get requestId(): string | null {
    return signedRequestId(this.koa)
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

const ofBodies = ['content-type', 'content-length', 'content-encoding', 'transfer-encoding'] as const

/** The id of a request for the trail, with who chose it, or made the request, if that is said. Null without an id. */
function signedRequestId({ state }: Context): string | null {
  if (state.requestId === undefined) return null
  return state.requestSource === undefined ? state.requestId : `${state.requestSource}:${state.requestId}`
}

/** The context of a call behind the stage that makes it. */
export function contextOf({ context }: Pick<IncomingRequest, 'context'>): ServerContext {
  if (context === null)
    throw new Error('http/jsonapi.ts: a stage needs the context of the request. Move it behind makeContext.')
  return context
}

/** What almost every request asks for: a target that `URL` would leave as it is. */
const plainTarget = /^\/[\w-][\w\-./?=&%,]*$/

const isPlain = (target: string): boolean => plainTarget.test(target)

/** Has the request a target that an URL can be made of; Koa throws where it has none. */
export const isReadable = ({ req: { url = '' } }: Context): boolean =>
  isPlain(url) || URL.canParse(url, 'http://localhost')

/** What was asked for, without its query. Not `ctx.path`, which throws where the target is no URL. */
export const pathOf = ({ req: { url = '' } }: Context): string => url.split('?', 1)[0] ?? ''

const requestUrl = ({ originalUrl }: Context, base: string): RequestUrl => new LazyUrl(originalUrl, base)

class LazyUrl implements RequestUrl {
  readonly search: string
  private readonly target: string
  private readonly base: string
  readonly link: LinkWriter | null
  private parsed: URL | null = null

  constructor(target: string, base: string, link: LinkWriter | null = null) {
    this.link = link
    this.target = target
    this.base = base
    this.search = isPlain(target) ? searchOf(target) : this.url.search
  }

  get url(): URL {
    this.parsed ??= publicUrl(this.target, this.base)
    return this.parsed
  }
}

/** A client may send a whole URL as its target, of whichever origin: where the server lies is not for it to say. */
function publicUrl(target: string, base: string): URL {
  const sent = new URL(target, base)
  return target.startsWith('/') ? sent : new URL(new URL(base).origin + sent.pathname + sent.search)
}

function searchOf(target: string): string {
  const at = target.indexOf('?')
  return at < 0 || at === target.length - 1 ? '' : target.slice(at)
}

/**
 * The body of a request, which is kept from the moment it comes.
 *
 * @internal
 */
export interface ReceivedBody {
  /**
   * All of its bytes, as they were sent.
   *
   * @throws {JsonApiError} 400 where the client leaves before its end, 413
   */
  read(limitBytes: number): Promise<Buffer>
  /** What has come is forgotten, and so is what comes. */
  drop(): void
}

/** So much is taken before anything asks for it; then the client waits. */
const unaskedBytes = 65_536
const firstRoom = 4096

/**
 * Writes a body into one buffer while it comes. A client may send each byte as a chunk of its own, of which Node makes
 * an object of some hundred bytes: a stream that is not read keeps them, and so does a list. So this begins before
 * anything waits for something else.
 */
export function receive(req: IncomingMessage, res: ServerResponse): ReceivedBody {
  // It says so only where somebody reads it.
  if (req.readableEnded) return gone
  let bytes: Buffer = Buffer.alloc(0)
  let length = 0
  let isDropped = false
  let asked: { readonly limitBytes: number; readonly fail: (error: Error) => void } | null = null

  const drop = () => {
    isDropped = true
    bytes = Buffer.alloc(0)
  }
  const refuse = (error: Error) => {
    drop()
    asked?.fail(error)
  }
  const take = (chunk: Buffer) => {
    if (isDropped) return
    const end = length + chunk.length
    if (asked && end > asked.limitBytes) return refuse(payloadTooLarge(asked.limitBytes))
    if (length === 0) bytes = chunk
    else {
      if (end > bytes.length) bytes = withRoom(bytes.subarray(0, length), Math.max(2 * length, end, firstRoom))
      chunk.copy(bytes, length)
    }
    length = end
    if (asked === null && length > unaskedBytes) req.pause()
  }
  req.on('data', take)
  req.once('close', () => {
    if (!req.readableEnded) refuse(truncated())
  })
  // What is answered before all of it has come is read away, as Node does with what no listener reads.
  res.once('close', () => {
    drop()
    req.resume()
  })

  return {
    drop,
    read: (limitBytes) =>
      new Promise((resolve, reject) => {
        const settle = () => resolve(bytes.subarray(0, length))
        asked = { limitBytes, fail: reject }
        if (req.destroyed && !req.readableEnded) return refuse(truncated())
        if (length > limitBytes) return refuse(payloadTooLarge(limitBytes))
        if (req.readableEnded) return settle()
        req.once('end', settle)
        req.resume()
      }),
  }
}

const truncated = () => badRequest(say`The request ended before its body was complete.`)

function withRoom(bytes: Buffer, length: number): Buffer {
  const room = Buffer.allocUnsafeSlow(length)
  bytes.copy(room)
  return room
}

const gone: ReceivedBody = {
  drop() {},
  async read() {
    throw new Error(
      'The request body is gone: a middleware before api.middleware() has read it. Mount api.middleware() before it.',
    )
  },
}
