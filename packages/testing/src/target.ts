import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'

/**
 * What can answer: a Koa application (anything with `callback()`), or a `node:http` listener, such as an Express app.
 */
export type TestApp = { callback(): RequestListener } | RequestListener

/**
 * What tests ask: the application, a function without parameters that gives it (now or later; it is called once, with
 * the first request), or the URL of a server that runs already.
 *
 * @example
 * const sources: readonly TestSource[] = [app, async () => app, 'http://127.0.0.1:3000']
 */
export type TestSource = TestApp | (() => Awaitable<TestApp>) | string | URL

/** A server that tests ask. It is started with the first request, and never keeps the process alive. */
export interface Target extends AsyncDisposable {
  /** `http://127.0.0.1:49152`, without a path. */
  origin(): Promise<string>
  /** Ends the server, if it is one of ours and was started. */
  close(): Promise<void>
}

/** A connection that waited must not be closed just when it is used again, however slow the machine is. */
const keepAliveTimeout = 60_000

/**
 * Says where requests go. Nothing is started before the first of them.
 *
 * @example
 * await using target = openTarget(app)
 * const answer = await send(target, { method: 'GET', path: '/api/v1/posts' })
 */
export function openTarget(source: TestSource): Target {
  return typeof source === 'string' || source instanceof URL ? running(new URL(source).origin) : lazy(source)
}

function running(origin: string): Target {
  const close = async () => {}
  return Object.freeze({ origin: async () => origin, close, [Symbol.asyncDispose]: close })
}

function lazy(source: TestApp | (() => Awaitable<TestApp>)): Target {
  let started: Promise<Server> | undefined
  const close = async () => {
    // That it could not be started was said to the caller that asked.
    const server = await started?.catch(() => undefined)
    started = undefined
    server?.closeAllConnections()
    if (server) await new Promise((resolve) => server.close(resolve))
  }
  const origin = async () => {
    // What failed is tried again: the database may have been started since.
    started ??= start(source).catch((error: unknown) => {
      started = undefined
      throw error
    })
    const { port } = (await started).address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }
  return Object.freeze({ origin, close, [Symbol.asyncDispose]: close })
}

async function start(source: TestApp | (() => Awaitable<TestApp>)): Promise<Server> {
  const app = isMaker(source) ? await made(source) : source
  const server = createServer({ keepAliveTimeout }, typeof app === 'function' ? app : app.callback())
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  // The client's end keeps the process alive while it waits for an answer, and that is enough.
  server.unref().on('connection', (socket) => void socket.unref())
  return server
}

// A listener takes at least the request and the response, be it as `(...args)`, which its length does not count.
const isMaker = (source: TestApp | (() => Awaitable<TestApp>)): source is () => Awaitable<TestApp> =>
  typeof source === 'function' && source.length === 0 && !/^[^()]*\(\s*\.\.\./.test(String(source))

async function made(source: () => Awaitable<TestApp>): Promise<TestApp> {
  const app: unknown = await source()
  if (typeof app === 'function' || typeof (app as { callback?: unknown } | undefined)?.callback === 'function')
    return app as TestApp
  throw new Error(
    'app: the function gave no application. Return a Koa app or a listener from it; a listener itself takes (request, response).',
  )
}
