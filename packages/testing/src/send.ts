import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { TestDocument } from './document.ts'
import type { Target } from './target.ts'

/** A request, byte for byte: no header is added but `Host`, `Connection` and `Content-Length`. */
export interface TestRequest {
  /** The HTTP method, in capital letters. */
  readonly method: string
  /** From the `/` on, with its query, encoded. */
  readonly path: string
  /** By name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Left out, there is none. */
  readonly body?: string
  /** A body that is no text. */
  readonly bytes?: Uint8Array
}

/** What came back. */
export interface Answer {
  /** What was asked, for messages. */
  readonly request: TestRequest
  /** The HTTP status. */
  readonly status: number
  /** The headers; names in any case. */
  readonly headers: Headers
  /** The body as it was sent; empty where there is none. */
  readonly text: string
  /** The body parsed; undefined where it is empty or no JSON. */
  readonly document: TestDocument | undefined
}

const transports = {
  'http:': { request: httpRequest, agent: new Agent({ keepAlive: true }) },
  'https:': { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true }) },
} as const

/**
 * Sends one request as it is given, follows no redirect, and gives whatever comes back.
 * @throws {Error} where there is no answer: the connection was refused or broke.
 *
 * @example
 * const target = openTarget(app)
 * const { status } = await send(target, { method: 'GET', path: '/api/v1/posts', headers: { Accept: 'text/html' } })
 */
export async function send(target: Target, request: TestRequest): Promise<Answer> {
  const { method, path, headers = {}, bytes, body = bytes } = request
  const origin = await target.origin()
  const { protocol, hostname, port } = new URL(origin)
  const transport = transports[protocol as keyof typeof transports]
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = body === undefined ? headers : { 'Content-Length': String(Buffer.byteLength(body)), ...headers }
    const options = { protocol, hostname, port, method, path, headers: sent, agent: transport.agent }
    transport.request(options, resolve).once('error', reject).end(body)
  })
  const text = await textOf(response)
  return Object.freeze({
    request,
    status: response.statusCode as number,
    headers: headersOf(response),
    text,
    document: parse(text),
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string)
  return headers
}

function parse(text: string): TestDocument | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
