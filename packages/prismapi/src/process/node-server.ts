import { type ServerOptions, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { statusPhrase } from '@prismapi/jsonapi/document/errors'
import { type ErrorDocument, jsonApiMediaType } from '@prismapi/jsonapi/document/types'

/**
 * Options for Node's HTTP server, whose own patience is a minute for headers and five for a request, looked after twice
 * a minute: headers of 16 KiB (beyond it 431), ten seconds for them and thirty for the whole request (408).
 * `onClientError` makes JSON:API documents of those answers. A connection without a request is kept for 65 seconds,
 * longer than the 60 after which load balancers end theirs: one that the server ended just then would be a 502 to a
 * client.
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

const statuses: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

/**
 * Answers what Node's parser could not make a request of; the `clientError` listener of the HTTP server.
 *
 * @see https://jsonapi.org/format/#errors
 * @example
 * import http from 'node:http'
 * import Koa from 'koa'
 *
 * const app = new Koa()
 * http.createServer(app.callback()).on('clientError', onClientError)
 */
export function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) {
    socket.destroy()
    return
  }
  socket.end(answerWith(statuses.get(error.code) ?? 400), () => socket.destroy())
}

function answerWith(status: number): string {
  const document: ErrorDocument = {
    jsonapi: { version: '1.0' },
    errors: [{ status: String(status), title: statusPhrase(status) }],
  }
  const body = JSON.stringify(document)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${jsonApiMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Vary: Accept',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

// Node has no public name for the response that a socket is busy with; its own handler asks the same.
function hasBegunAnswer(socket: Duplex): boolean {
  const { _httpMessage } = socket as Duplex & { _httpMessage?: { readonly headersSent: boolean } | null }
  return _httpMessage?.headersSent ?? false
}
