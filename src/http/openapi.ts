import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { notAcceptable } from '../document/errors.ts'
import { openApiDocument } from '../openapi/document.ts'
import type { CompiledServer } from '../server/compile.ts'
import { parseMediaType, splitUnquoted } from './media-type.ts'
import { jsonApiMediaType } from './negotiate.ts'
import { answerMethods, refuseParameters } from './server-page.ts'

interface Kept {
  readonly text: string
  readonly etag: string
}

// A server never changes while it serves, and its document is large: it is made when somebody asks for it first.
const kept = new WeakMap<CompiledServer, Kept>()

/** The server's OpenAPI document. */
export function answerOpenApi(ctx: Context, server: CompiledServer): void {
  if (answerMethods(ctx)) return
  ctx.vary('Accept')
  checkAccept(ctx.get('Accept'))
  refuseParameters(ctx, server)
  const { text, etag } = documentOf(server)
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Cache-Control', 'private, no-cache')
  ctx.set('ETag', etag)
  if (isKnown(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304
    return
  }
  ctx.set('Content-Type', 'application/json')
  ctx.body = text
}

function documentOf(server: CompiledServer): Kept {
  const known = kept.get(server)
  if (known) return known
  const text = JSON.stringify(openApiDocument(server))
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  kept.set(server, { text, etag })
  return { text, etag }
}

// Not `ctx.fresh`: fetch adds `Cache-Control: no-cache`, which is for caches, to whatever has an `If-None-Match`.
const isKnown = (header: string, etag: string): boolean =>
  splitUnquoted(header, ',').some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)

// Clients that read the API ask for everything in its media type; tools ask for JSON, or for OpenAPI by one of its names.
const accepted: ReadonlySet<string> = new Set([
  '*/*',
  'application/*',
  'application/json',
  'application/openapi+json',
  'application/vnd.oai.openapi+json',
  jsonApiMediaType,
])

/** @throws {JsonApiError} 406 where the client names media types, and none that a description of an API may have. */
function checkAccept(header: string): void {
  const ranges = splitUnquoted(header, ',').filter((part) => part !== '')
  const isAccepted = (part: string) => {
    const range = parseMediaType(part)
    const isRefused = range?.parameters.some(([name, value]) => name === 'q' && Number(value) === 0)
    return range !== null && !isRefused && accepted.has(range.name)
  }
  if (ranges.length > 0 && !ranges.some(isAccepted)) throw notAcceptable()
}
