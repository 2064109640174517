import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Context } from 'koa'
import { jsonApiMediaType } from '../request/negotiate.ts'

/** The document that is the answer, which may be bytes, or sent in parts; null where it is none. */
export async function answeredText({ body, response }: Context): Promise<string | null> {
  if (!String(response.get('Content-Type')).startsWith(jsonApiMediaType)) return null
  if (body instanceof Readable) return text(body)
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : null
}
