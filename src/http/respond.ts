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
  ctx.vary('Accept')
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Cache-Control', status < 400 ? 'private, no-cache' : 'no-store')
  // By `set`: `ctx.type` would add a charset, which JSON:API forbids.
  if (document !== null) ctx.set('Content-Type', mediaTypeOf(document.jsonapi))
  ctx.body = body
  // After the body: Koa makes a 204 of every empty one.
  ctx.status = status
  ctx.set({ ...headers })
}

/** The media type with what was applied to the document. */
function mediaTypeOf({ ext, profile }: JsonApiObject): string {
  const parameters = Object.entries({ ext, profile }).map(([name, uris]) => uris && `;${name}="${uris.join(' ')}"`)
  return jsonApiMediaType + parameters.filter(Boolean).join('')
}
