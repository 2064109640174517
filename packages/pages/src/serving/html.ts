import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Call } from '@prismapi/core/http/call'
import { parseMediaType, splitUnquoted } from '@prismapi/core/http/request/headers'
import { english, type Language } from '@prismapi/jsonapi/document/text'
import { jsonApiMediaType } from '@prismapi/jsonapi/document/types'
import { boundedCache } from '@prismapi/jsonapi/model/memo'
import type { Context } from 'koa'

const compress = promisify(gzip)

const strict = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
]

/** What a page may do: nothing but what comes from here. */
const pagePolicy = strict.join('; ')

/** The same for the reference, whose viewer puts its style sheets into the page. */
export const docsPolicy = strict
  .map((rule) => (rule.startsWith('style-src') ? "style-src 'self' 'unsafe-inline'" : rule))
  .join('; ')

/**
 * Sends a page. It shows what one caller may see, so no cache keeps it. A large page is compressed beside other work.
 */
export async function respondHtml(ctx: Context, status: number, text: string, policy = pagePolicy): Promise<void> {
  const isPacked = isReaders(ctx) && ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  const body = isPacked ? await compress(text) : text
  // Meanwhile the time of the request may have run out.
  if (ctx.res.headersSent) return
  ctx.body = body
  if (isPacked) ctx.set('Content-Encoding', 'gzip')
  ctx.status = status
  ctx.set('Content-Type', 'text/html; charset=utf-8')
  ctx.set('Content-Security-Policy', policy)
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Cache-Control', 'no-store')
  // Not `no-referrer`: a form would not say any more where it is sent from.
  ctx.set('Referrer-Policy', 'same-origin')
  ctx.vary('Accept')
  ctx.vary('Accept-Encoding')
}

/**
 * Whether the reader asks for the page: by a click on one of ours, or in the address bar. Other sites could choose part
 * of a page by its URL, have it loaded a thousand times, and learn the rest from the compressed lengths (BREACH).
 */
const isReaders = ({ req: { headers } }: Context): boolean =>
  headers['sec-fetch-dest'] === 'document' && ['same-origin', 'none'].includes(String(headers['sec-fetch-site']))

// To a browser, what begins with two slashes of either kind is another host.
const otherHost = /^[/\\]{2,}/

/** Sends the browser to a path of this origin. */
export function redirect(ctx: Context, location: string): void {
  ctx.body = null
  // After the body: Koa makes a 204 of every empty one.
  ctx.status = 303
  ctx.set('Location', location.replace(otherHost, '/'))
  ctx.set('Cache-Control', 'no-store')
}

/** The language of a page, which its headers name where the application has more than one. */
export function languageFor({ koa, api: { languageOf } }: Call): Language {
  if (!languageOf) return english
  const language = languageOf(koa)
  koa.vary('Accept-Language')
  koa.set('Content-Language', language.tag)
  return language
}

/** Headers by their text: there are few that browsers send. */
const known = boundedCache<boolean>(50)
const keptLength = 500

/**
 * Does the client want a page rather than a document: it names `text/html`, with more weight than any range that covers
 * JSON:API. Who names JSON:API itself never gets a page, nor who takes anything or says nothing.
 */
export function prefersHtml(header: string | undefined): boolean {
  if (header === undefined || header === jsonApiMediaType) return false
  return header.length > keptLength ? decide(header) : known.get(header, () => decide(header))
}

function decide(header: string): boolean {
  const ranges = splitUnquoted(header, ',').flatMap((part) => {
    const media = parseMediaType(part)
    if (!media) return []
    const weight = Number(media.parameters.find(([name]) => name === 'q')?.[1] ?? 1)
    return [{ name: media.name, weight }]
  })
  const weightOf = (name: string) =>
    Math.max(0, ...ranges.filter((range) => range.name === name).map(({ weight }) => weight))
  if (ranges.some(({ name }) => name === jsonApiMediaType)) return false
  const others = ranges.some(({ name }) => name === 'application/*') ? 'application/*' : '*/*'
  return weightOf('text/html') > weightOf(others)
}
