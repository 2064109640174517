import type { ServerOptions } from 'node:http'

/**
 * Options for Node's HTTP server, whose own patience is a minute for headers and five for a request, looked after twice a
 * minute: headers of 16 KiB (beyond it 431), ten seconds for them and thirty for the whole request (408). `onClientError` makes JSON:API
 * documents of those answers. A connection without a request is kept for 65 seconds, longer than the 60 after which load balancers
 * end theirs: one that the server ended just then would be a 502 to a client.
 *
 * @example
 * import http from 'node:http'
 * import Koa from 'koa'
 *
 * const app = new Koa()
 * http.createServer(serverOptions, app.callback()).on('clientError', onClientError)
 */
export const serverOptions = Object.freeze({
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 65_000,
}) satisfies ServerOptions
