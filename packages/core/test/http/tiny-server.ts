import { once } from 'node:events'
import { Agent, createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import Koa, { type Middleware } from 'koa'
import { onClientError } from 'prismapi/internal/process/node-server'
import { type ErrorBoundaryOptions, errorBoundary } from '../../src/http/response/error-boundary.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Message {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  /** Sends the body in pieces, without Content-Length. */
  readonly chunked?: boolean
}

export interface Logged {
  readonly level: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A Koa application behind the error boundary, on a port of its own. */
export async function tinyServer(middleware: Middleware, options: Partial<ErrorBoundaryOptions> = {}) {
  const logged: Logged[] = []
  const log = (level: string) => (fields: object) => void logged.push({ level, fields: { ...fields } })
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const app = new Koa()
  app.silent = true
  app.use(errorBoundary({ logger, production: true, version: () => '1.0', ...options })).use(middleware)
  const server = createServer(app.callback()).on('clientError', onClientError).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  return {
    logged,
    send: (message: Message) => send(port, agent, message),
    /** Writes bytes as they are and gives back all that comes until the connection closes. */
    raw: (...pieces: readonly (string | Buffer)[]) => raw(port, pieces),
    port,
    close: async () => {
      agent.destroy()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export type TinyServer = Awaited<ReturnType<typeof tinyServer>>

async function send(port: number, agent: Agent, message: Message): Promise<Answer> {
  const { method = 'POST', headers = {}, body, chunked = false } = message
  const length = body !== undefined && !chunked ? { 'Content-Length': Buffer.byteLength(body) } : {}
  const type = body === undefined ? {} : { 'Content-Type': 'application/vnd.api+json' }
  const sent = request({ host: '127.0.0.1', port, agent, method, headers: { ...type, ...length, ...headers } })
  if (body !== undefined) sent.write(body)
  sent.end()
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() }
}

async function raw(port: number, pieces: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  for (const piece of pieces) socket.write(piece)
  await once(socket, 'close')
  return text
}

/** The error document of a 1.0 server. */
export const errorDocument = (...errors: readonly object[]) => ({ jsonapi: { version: '1.0' }, errors })
