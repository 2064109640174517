import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { statusPhrase } from '../../document/errors.ts'
import type { ErrorDocument } from '../../document/types.ts'
import { jsonApiMediaType } from '../request/negotiate.ts'

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
