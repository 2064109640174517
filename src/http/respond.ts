import type { Context } from 'koa'
import { documentText } from '../document/rendered.ts'
import type { Document, JsonApiObject } from '../document/types.ts'
import { jsonApiMediaType } from './negotiate.ts'

/**
 * The one place that answers with a document. `null` answers without a body.
 * Answers depend on who asks: a cache of the client may keep one, and has to ask before it uses it again; none keeps an error.
 *
 * @example
 * respond(ctx, 201, document, { Location: self })
 */
export function respond(
  ctx: Context,
  status: number,
  document: Document | null,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = document && documentText(document)
  const { res } = ctx
  if (res.hasHeader('Vary')) ctx.vary('Accept')
  else res.setHeader('Vary', 'Accept')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Cache-Control', status < 400 ? 'private, no-cache' : 'no-store')
  // Not by `ctx.type`, which would add a charset, which JSON:API forbids.
  if (document !== null) res.setHeader('Content-Type', mediaTypeOf(document.jsonapi))
  ctx.body = body
  // After the body: Koa makes a 204 of every empty one.
  ctx.status = status
  for (const name in headers) ctx.set(name, headers[name] as string)
}

/** The media type with what was applied to the document. */
function mediaTypeOf({ ext, profile }: JsonApiObject): string {
  if (!ext && !profile) return jsonApiMediaType
  const parameters = Object.entries({ ext, profile }).map(([name, uris]) => uris && `;${name}="${uris.join(' ')}"`)
  return jsonApiMediaType + parameters.filter(Boolean).join('')
}
