import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gracefulShutdown, type ShutdownOptions } from './graceful-shutdown.ts'
import { listen } from './listen.ts'
import { onClientError, serverOptions } from './node-server.ts'
import { reportReady } from './worker-messages.ts'

/** What `serve` is told beside the application. */
export interface ServeOptions extends ShutdownOptions {
  /** Where it listens: a host name or an IP address. */
  readonly host: string
  /** The port that it listens at; 0 is any that is free. */
  readonly port: number
  /** The public origin that links begin with; left out or null, the one that it listens at. */
  readonly baseUrl?: string | null
}

/** What an application is made with, once it is known where it listens. */
export interface ServeStart {
  /** `http://127.0.0.1:3000`, without a slash behind it. */
  readonly baseUrl: string
  /** Aborted when the process is about to end. */
  readonly draining: AbortSignal
}

/** Where it listens. */
export interface Served {
  /** What links begin with. */
  readonly baseUrl: string
  /** Where it listens, whatever links say: `http://127.0.0.1:3000`, `http://[::1]:3000`. */
  readonly address: string
  /** The port, where any would do the one that was free. */
  readonly port: number
}

/**
 * Serves an application from this process: an HTTP server with `serverOptions` and `onClientError` listens, and ends as
 * `gracefulShutdown` says. In a worker of `superviseWorkers`, it reports when it is ready.
 *
 * @param open makes the handler of requests, such as `app.callback()` of Koa; requests wait until it is made
 * @returns when requests are answered
 * @throws {Error} one line, where it cannot listen; or what `open` throws
 *
 * @example
 * import type Koa from 'koa'
 * import pino from 'pino'
 *
 * // Of the application.
 * declare const clients: { close(): Promise<void> }
 * declare const createApp: (start: ServeStart) => Promise<Koa>
 *
 * const { baseUrl } = await serve(async (start) => (await createApp(start)).callback(), {
 *   host: '127.0.0.1',
 *   port: 3000,
 *   logger: pino(),
 *   close: () => clients.close(),
 * })
 */
export async function serve(
  open: (start: ServeStart) => RequestListener | Promise<RequestListener>,
  { host, port: asked, baseUrl: origin = null, ...shutdown }: ServeOptions,
): Promise<Served> {
  const server = createServer(serverOptions).on('clientError', onClientError)
  const { draining } = gracefulShutdown(server, shutdown)
  // Which port it is may be known only when it listens, and links name it; who comes this early waits.
  const early: RequestListener = async (request, response) => (await handler)(request, response)
  server.on('request', early)
  await listen(server, { host, port: asked })
  const { address, port } = server.address() as AddressInfo
  const baseUrl = origin ?? originOf(host, port)
  const handler = (async () => open({ baseUrl, draining }))()
  server.on('request', await handler).off('request', early)
  reportReady()
  return { baseUrl, address: originOf(address, port), port }
}

const originOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`
