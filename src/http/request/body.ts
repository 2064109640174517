import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Context } from 'koa'
import { invalidJson, unsupportedMediaType } from '../../document/errors.ts'
import { isObject } from '../../document/members.ts'
import { say } from '../../document/text.ts'
import { turnAfter } from '../../model/in-turns.ts'
import type { Limits } from '../../request/limits.ts'
import { decodeBody } from './decode-body.ts'
import { jsonApiMediaType } from './negotiate.ts'
import type { Received } from './received.ts'

/** Was a body sent, by the request's headers? An empty chunked one counts. */
export const hasBody = (req: IncomingMessage): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

/** A request with its body. */
export interface Bodied {
  readonly koa: Context
  /** Null where none was sent. */
  readonly received: Received | null
  /** What stands for the bytes that were sent; null where they have not been read. */
  readonly bytes: Buffer | null
}

/**
 * The body as a JSON object: read, decompressed, and checked for everything that has to be refused before its meaning
 * is asked for. Of duplicate names in one object the last one wins, as `JSON.parse` has it.
 *
 * @throws JsonApiError 400 for what is not a JSON object, 413, 415
 */
export async function readBody({ koa, received, bytes }: Bodied, limits: Limits): Promise<unknown> {
  if (!hasBody(koa.req)) throw invalidJson(nothing)
  const read = bytes ?? (await readBytes({ koa, received }, limits.bodyBytes))
  const began = performance.now()
  const body = await parseJson(koa, read)
  if (body.text === undefined) throw unsupportedMediaType()
  if (isBlank(body.text)) throw invalidJson(nothing)
  if (!isObject(body.value)) throw invalidJson(say`Expecting JSON to decode to an object.`)
  checkValue(body.value, limits.bodyDepth, limits.bodyDepth)
  // What becomes of a large one takes as long once more.
  await turnAfter(began)
  return body.value
}

/**
 * The bytes of the body, whatever they say.
 *
 * @throws JsonApiError 400, 413, 415
 */
export async function readBytes(
  { koa, received }: Pick<Bodied, 'koa' | 'received'>,
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

/** Loads what reads bodies, once: tools that import the framework and serve nothing do not wait for its hundred files. */
export const bodyParser = (): ReturnType<typeof startParser> => {
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
 * koa-body reads the decoded bytes in place of the request's own, and leaves its result where no other middleware sees it. What it
 * gets is no object with the request's as its prototype: V8 makes a class of its own for each of those.
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
  if (levels === 0) throw invalidJson(say`Arrays and objects must not nest deeper than ${limit} levels.`)
  for (const member of Object.values(value)) checkValue(member, levels - 1, limit)
}

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
