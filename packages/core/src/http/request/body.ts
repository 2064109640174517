import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import {
  badRequest,
  invalidJson,
  payloadTooLarge,
  tooManyValues,
  unsupportedEncoding,
  unsupportedMediaType,
} from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { isObject, jsonApiMediaType } from '@prismapi/jsonapi/document/types'
import { othersFirst } from '@prismapi/jsonapi/model/awaitable'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import { isModifyingRelationship, type Operation } from '@prismapi/jsonapi/request/operation'
import type { Context } from 'koa'
import { type ReceivedBody, receive } from '../call.ts'
import type { HttpStage } from '../plugin.ts'
import { parsedSize } from './parsed-size.ts'

/**
 * Takes a body as it comes, before anything is awaited. It refuses nothing: the reader of the body says what is wrong.
 */
export const receiveBody: HttpStage = (next) => (call) => {
  const { req, res } = call.koa
  if (hasBody(req)) call.received = receive(req, res)
  return next(call)
}

/** Reads and parses the body of requests that have a document: 400, 413. A body that means nothing is not read. */
export const readDocument: HttpStage = (next, { server }) => {
  // Now, so that the first client that writes does not wait for it; where that fails, it is told.
  bodyParser().catch(() => {})
  return (call) => {
    const { koa, operation } = call
    const needsBody = call.isAtomic || (operation !== null && isDocumentNeeded(operation))
    const mayHaveBody = operation?.kind === 'action' && operation.action.method !== 'GET'
    if (needsBody && !hasBody(koa.req)) throw invalidJson(say`Expecting JSON to decode.`)
    if (!needsBody && !(mayHaveBody && hasBody(koa.req))) return next(call)
    return readBody(call, server.limits).then((body) => {
      call.body = body
      return next(call)
    })
  }
}

const isDocumentNeeded = (operation: Operation): boolean =>
  operation.kind === 'create' || operation.kind === 'update' || isModifyingRelationship(operation)

/** Was a body sent, by the request's headers? An empty chunked one counts. */
export const hasBody = (req: IncomingMessage): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

/** A request with its body. */
export interface RequestWithBody {
  readonly koa: Context
  /** Null where none was sent. */
  readonly received: ReceivedBody | null
  /** The JSON that a form of a page was made into, in the place of what was sent; null for all other requests. */
  readonly formBody: Buffer | null
}

/**
 * The body as a JSON object: read, decompressed, and checked for everything that has to be refused before its meaning
 * is asked for. Of duplicate names in one object the last one wins, as `JSON.parse` has it.
 *
 * @throws JsonApiError 400 for what is not a JSON object, or would take too much memory for its size, 413, 415
 */
export async function readBody({ koa, received, formBody }: RequestWithBody, limits: Limits): Promise<unknown> {
  if (!hasBody(koa.req)) throw invalidJson(nothing)
  const read = formBody ?? (await readBytes({ koa, received }, limits.bodyBytes))
  checkParsedSize(read, limits)
  await othersFirst()
  const body = await parseJson(koa, read)
  if (body.text === undefined) throw unsupportedMediaType()
  if (isBlank(body.text)) throw invalidJson(nothing)
  if (!isObject(body.value)) throw invalidJson(say`Expecting JSON to decode to an object.`)
  checkValue(body.value, limits.bodyDepth, limits.bodyDepth)
  // Handling a large body takes about as long as parsing it, so let other requests run first.
  await othersFirst()
  return body.value
}

/** Bytes of memory for each byte of the body. */
const sizes = { mostParsed: 8, text: 1.5, mostOfValue: 32 }

/** Looks at JSON that somebody else parses. @throws JsonApiError 400 for deep nesting, and for too many values */
export function checkJson(bytes: Buffer, limits: Limits): void {
  checkParsedSize(bytes, limits)
  const { depth } = parsedSize(bytes, { size: Number.POSITIVE_INFINITY, depth: limits.bodyDepth })
  if (depth > limits.bodyDepth) throw tooDeep(limits.bodyDepth)
}

/** Before it is parsed. A body that is short enough cannot take too much, whatever it holds. */
function checkParsedSize(bytes: Buffer, { bodyDepth, parsedBytes }: Limits): void {
  if (sizes.mostOfValue * bytes.length <= parsedBytes) return
  const most = Math.max(parsedBytes, sizes.mostParsed * bytes.length)
  const mostOfValues = most - sizes.text * bytes.length
  const { size, depth } = parsedSize(bytes, { size: mostOfValues, depth: bodyDepth })
  if (depth > bodyDepth) throw tooDeep(bodyDepth)
  if (size > mostOfValues) throw tooManyValues(most)
}

/**
 * The bytes of the body, whatever they say.
 *
 * @throws JsonApiError 400, 413, 415
 */
export async function readBytes(
  { koa, received }: Pick<RequestWithBody, 'koa' | 'received'>,
  limitBytes: number,
): Promise<Buffer> {
  if (received === null) return Buffer.alloc(0)
  try {
    return await decodeBody(koa.req, received, limitBytes)
  } catch (error) {
    received.drop()
    await discardRest(koa)
    throw error
  }
}

const nothing = say`Expecting JSON to decode.`

interface ParsedBody {
  readonly value: unknown
  /** Undefined when the Content-Type is not ours. */
  readonly text: string | undefined
}

let parser: ReturnType<typeof startParser> | null = null

/** Loads the parser of bodies, once: tools that serve nothing do not wait for its hundred files. */
const bodyParser = (): ReturnType<typeof startParser> => {
  parser ??= startParser()
  return parser
}

async function startParser() {
  const { HttpMethodEnum, koaBody } = await import('koa-body')
  return koaBody({
    jsonTypes: [jsonApiMediaType],
    jsonStrict: false,
    // `decodeBody` counts; a second limit would be a second truth.
    jsonLimit: Number.MAX_SAFE_INTEGER,
    includeUnparsed: true,
    text: false,
    urlencoded: false,
    multipart: false,
    parsedMethods: Object.values(HttpMethodEnum),
    onError: (error) => {
      throw error instanceof SyntaxError ? toSyntaxError(error) : error
    },
  })
}

/**
 * koa-body reads the decoded bytes in place of the request's own, and leaves its result where no other middleware sees
 * it. What it gets is no object with the request's as its prototype: V8 makes a class of its own for each of those.
 */
async function parseJson(ctx: Context, bytes: Buffer): Promise<ParsedBody> {
  const request: Partial<Pick<Context['request'], 'body' | 'rawBody'>> = {}
  const req = Object.assign(Readable.from([bytes], { objectMode: false }), { headers: {} })
  const own = { method: ctx.method, is: (types: string[]) => ctx.is(types), request, req }
  const parse = await bodyParser()
  await parse(own as unknown as Context, async () => {})
  return { value: request.body, text: request.rawBody }
}

// The parser's own message quotes the body: neutral words instead.
function toSyntaxError(error: SyntaxError & { body?: unknown }): Error {
  if (typeof error.body === 'string' && isBlank(error.body)) return invalidJson(nothing)
  if (error.message === 'Object contains forbidden prototype property') {
    return invalidJson(say`The name __proto__ is not allowed.`)
  }
  return invalidJson(say`The request body is not valid JSON.`)
}

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)

/** Everything behind this point may walk the body by recursion, and may trust a number to be one. */
function checkValue(value: unknown, levels: number, limit: number): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalidJson(say`A number is out of range.`)
  if (typeof value !== 'object' || value === null) return
  if (levels === 0) throw tooDeep(limit)
  for (const member of Array.isArray(value) ? value : Object.values(value)) checkValue(member, levels - 1, limit)
}

const tooDeep = (limit: number) => invalidJson(say`Arrays and objects must not nest deeper than ${limit} levels.`)

const discardBytes = 16 * 1024 * 1024
const discardMilliseconds = 500

/**
 * A client that is still sending reads no answer, and a connection with half a body on it serves no second request:
 * the rest is read away, within reason, and beyond it the connection ends with the answer.
 */
async function discardRest(ctx: Context): Promise<void> {
  const { req } = ctx
  const enough = new AbortController()
  const timer = setTimeout(() => enough.abort(), discardMilliseconds)
  let left = discardBytes
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) enough.abort()
  })
  req.resume()
  // Why it ended early does not matter any more.
  await finished(req, { writable: false, signal: enough.signal }).catch(() => {})
  clearTimeout(timer)
  if (!req.readableEnded) ctx.set('Connection', 'close')
}

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/**
 * The bytes of a request's body: decompressed, at most `limitBytes` of them, and UTF-8.
 *
 * @throws JsonApiError 400, 413, 415
 */
async function decodeBody(req: IncomingMessage, received: ReceivedBody, limitBytes: number): Promise<Buffer> {
  const decode = toDecoder(req.headers['content-encoding'])
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw payloadTooLarge(limitBytes)
  const sent = await received.read(limitBytes)
  const bytes = decode ? await decodeBytes(decode, sent, limitBytes) : sent
  if (!isUtf8(bytes)) throw invalidJson(say`The request body is not UTF-8.`)
  return bytes
}

async function decodeBytes(decode: Decoder, sent: Buffer, limitBytes: number): Promise<Buffer> {
  try {
    return await decode(sent, { maxOutputLength: limitBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw payloadTooLarge(limitBytes)
    throw badRequest(say`The request body does not fit its Content-Encoding.`)
  }
}

function toDecoder(header: string | undefined): Decoder | null {
  const encoding = (header ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return null
  const decode = decoders.get(encoding)
  if (!decode) throw unsupportedEncoding([...decoders.keys()])
  return decode
}
