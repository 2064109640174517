import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { badRequest, invalidJson, payloadTooLarge, unsupportedEncoding } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import type { Received } from './received.ts'

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
export async function decodeBody(req: IncomingMessage, received: Received, limitBytes: number): Promise<Buffer> {
  const decode = toDecoder(req.headers['content-encoding'])
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw payloadTooLarge(limitBytes)
  const sent = await received.read(limitBytes)
  const bytes = decode ? await decoded(decode, sent, limitBytes) : sent
  if (!isUtf8(bytes)) throw invalidJson(say`The request body is not UTF-8.`)
  return bytes
}

async function decoded(decode: Decoder, sent: Buffer, limitBytes: number): Promise<Buffer> {
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
