import type { ServerOptions } from 'node:http'

/**
 * Options for Node's HTTP server, whose own patience is a minute for headers and five for a request, looked after twice a
 * minute: headers of 16 KiB (beyond it 431), ten seconds for them and thirty for the whole request (408). `onClientError` makes JSON:API
 * documents of those answers.
 *
 * @example
 * http.createServer(serverOptions, app.callback()).on('clientError', onClientError)
 */
export const serverOptions = Object.freeze({
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
}) satisfies ServerOptions
