import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { badRequest, invalidJson, payloadTooLarge, unsupportedEncoding } from '../../document/errors.ts'
import { say } from '../../document/text.ts'

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

const truncated = () => badRequest(say`The request ended before its body was complete.`)

/**
 * The bytes of a request's body: decompressed, at most `limitBytes` of them, and UTF-8.
 * Where that fails, the request itself stays open for the answer.
 *
 * @throws JsonApiError 400, 413, 415
 */
export async function decodeBody(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (req.readableEnded) {
    throw new Error(
      'The request body is gone: a middleware before api.middleware() has read it. Mount api.middleware() before it.',
    )
  }
  if (req.destroyed) throw truncated()
  const decompress = toDecoder(req.headers['content-encoding'])
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw payloadTooLarge(limitBytes)
  const bytes = decompress ? await readThrough(decompress, req, limitBytes) : await readAll(req, req, limitBytes)
  if (!isUtf8(bytes)) throw invalidJson(say`The request body is not UTF-8.`)
  return bytes
}

// Not pipeline(): a failure would destroy the request, and with it the socket that the answer needs.
async function readThrough(decompress: Transform, req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  try {
    return await readAll(req.pipe(decompress), req, limitBytes)
  } finally {
    req.unpipe(decompress)
    decompress.on('error', () => {}).destroy()
  }
}

/** What a stream of the request's bytes gives until its end. */
function readAll(source: Readable, req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let received = 0
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      received += chunk.length
      if (received > limitBytes) fail(payloadTooLarge(limitBytes))
      else chunks.push(chunk)
    }
    const end = () => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const fail = (error: Error) => settle(() => reject(error))
    const refuse = () =>
      fail(source === req ? truncated() : badRequest(say`The request body does not fit its Content-Encoding.`))
    const leave = () => {
      if (!req.readableEnded) fail(truncated())
    }
    const settle = (tell: () => void) => {
      source.off('data', take).off('end', end).off('error', refuse)
      req.off('close', leave)
      tell()
    }
    source.on('data', take).on('end', end).on('error', refuse)
    req.on('close', leave)
  })
}

function toDecoder(header: string | undefined): Transform | null {
  const encoding = (header ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return null
  const create = decoders.get(encoding)
  if (!create) throw unsupportedEncoding([...decoders.keys()])
  return create()
}
