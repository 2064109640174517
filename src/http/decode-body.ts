import type { IncomingMessage } from 'node:http'
import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { badRequest, invalidJson, payloadTooLarge, unsupportedEncoding } from '../document/errors.ts'

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

const truncated = () => badRequest('The request ended before its body was complete.')

/**
 * The bytes of a request's body: decompressed, at most `limitBytes` of them, and UTF-8.
 * Reading fails with a JsonApiError; the request itself stays open for the answer.
 *
 * @throws JsonApiError 413 and 415 where the headers say enough
 */
export function decodeBody(req: IncomingMessage, limitBytes: number): Readable {
  if (req.readableEnded) {
    throw new Error('The request body is gone: a middleware before jsonapi() has read it. Mount jsonapi() before it.')
  }
  if (req.destroyed) throw truncated()
  const decompress = toDecoder(req.headers['content-encoding'])
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw payloadTooLarge(limitBytes)
  const guard = utf8Guard(limitBytes)

  // Not pipeline(): a failure would destroy the request, and with it the socket that the answer needs.
  if (decompress) {
    decompress.on('error', () => guard.destroy(badRequest('The request body does not fit its Content-Encoding.')))
    guard.once('close', () => decompress.destroy())
    req.pipe(decompress).pipe(guard)
  } else req.pipe(guard)
  req.once('close', () => {
    if (!req.readableEnded) guard.destroy(truncated())
  })
  return guard
}

function toDecoder(header: string | undefined): Transform | null {
  const encoding = (header ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return null
  const create = decoders.get(encoding)
  if (!create) throw unsupportedEncoding([...decoders.keys()])
  return create()
}

function utf8Guard(limitBytes: number): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let received = 0
  const check = (chunk: Buffer | undefined, done: TransformCallback) => {
    received += chunk?.length ?? 0
    if (received > limitBytes) return done(payloadTooLarge(limitBytes))
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      return done(invalidJson('The request body is not UTF-8.'))
    }
    done(null, chunk)
  }
  const guard = new Transform({
    transform: (chunk: Buffer, _encoding, done) => check(chunk, done),
    flush: (done) => check(undefined, done),
  })
  // Whoever reads it hears of a failure; a failure after the reader has left must not end the process.
  return guard.on('error', () => {})
}
