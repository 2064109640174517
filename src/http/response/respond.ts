import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { documentParts, documentText } from '../../document/rendered.ts'
import type { Document, JsonApiObject } from '../../document/types.ts'
import { jsonApiMediaType } from '../request/negotiate.ts'
import { etagOf, setETag } from './etag.ts'

/**
 * The one place that answers with a document. `null` answers without a body.
 * Answers depend on who asks: a cache of the client may keep one, and has to ask before it uses it again; none keeps an error.
 * `checkSize` may refuse the number of its bytes.
 * With a `version`, or null for none, it has an ETag, and is 304 to who has it already.
 *
 * @example
 * respond(ctx, 201, document, { Location: self })
 */
export function respond(
  ctx: Context,
  status: number,
  document: Document | null,
  headers: Readonly<Record<string, string>> = {},
  version?: string | null,
  checkSize?: (bytes: number) => void,
): void {
  // The client was told that its time is over; what comes of it now is answered to no client.
  if (ctx.res.headersSent) return
  const parts = document && (documentParts(document) ?? [documentText(document)]).map(bytesOf)
  if (checkSize && parts) checkSize(parts.reduce((sum, part) => sum + part.length, 0))
  const isKnown = version !== undefined && parts !== null && setETag(ctx, etagOf(version, parts))
  const { res } = ctx
  if (res.hasHeader('Vary')) ctx.vary('Accept')
  else res.setHeader('Vary', 'Accept')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Cache-Control', status < 400 ? 'private, no-cache' : 'no-store')
  // Not by `ctx.type`, which would add a charset, which JSON:API forbids.
  if (document !== null && !isKnown) res.setHeader('Content-Type', mediaTypeOf(document.jsonapi))
  setBody(ctx, isKnown ? null : parts)
  // After the body: Koa makes a 204 of every empty one.
  ctx.status = isKnown ? 304 : status
  for (const name in headers) ctx.set(name, headers[name] as string)
}

/** An answer whose document is a text already. */
export interface TextAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null for an answer without a body. */
  readonly body: string | null
}

/** Answers with a text that was a document before. */
export function respondText(ctx: Context, { status, headers, body }: TextAnswer): void {
  respond(ctx, status, null, headers)
  if (body === null) return
  ctx.body = body
  ctx.status = status
}

/** Bytes, because they are asked for thrice: by the entity tag, for their number, and by the socket. */
function bytesOf(text: string): Buffer {
  if (text.length > shortText) return Buffer.from(text)
  // Encoded where there is room for whatever it may need, and copied: sooner done than asking for its length first.
  const { written } = encoder.encodeInto(text, room)
  return Buffer.from(room.subarray(0, written))
}

const encoder = new TextEncoder()
const shortText = 131_072
/** Three bytes for each unit of UTF-16 are the most. */
const room = new Uint8Array(3 * shortText)

function setBody(ctx: Context, parts: readonly Buffer[] | null): void {
  if (parts === null || parts.length === 1) {
    ctx.body = parts?.[0] ?? null
    return
  }
  ctx.body = Readable.from(parts, { objectMode: false })
  ctx.length = parts.reduce((sum, part) => sum + part.length, 0)
}

/** The media type with what was applied to the document. */
export function mediaTypeOf({ ext, profile }: JsonApiObject): string {
  if (!ext && !profile) return jsonApiMediaType
  const parameters = Object.entries({ ext, profile }).map(([name, uris]) => uris && `;${name}="${uris.join(' ')}"`)
  return jsonApiMediaType + parameters.filter(Boolean).join('')
}
