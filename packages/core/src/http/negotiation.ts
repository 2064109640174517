import { notAcceptable, unsupportedMediaType } from '@prismapi/jsonapi/document/errors'
import {
  atomicExtension,
  bothExtensions,
  type Extensions,
  type JsonApiObject,
  jsonApiMediaType,
  noExtensions,
} from '@prismapi/jsonapi/document/types'
import { boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { CompiledServer } from '../server/compile.ts'
import type { Call } from './call.ts'
import type { HttpStage } from './plugin.ts'
import { hasBody } from './request/body.ts'
import { type MediaType, parseMediaType, splitUnquoted } from './request/headers.ts'

/** Negotiates media types: 406, 415. The document of an atomic request has to be written in the extension. */
export const negotiate: HttpStage = (next) => (call) => {
  const sent = negotiateExtensions(call)
  // What the form of a page has become names no extension, which the server may not offer to clients.
  const isNamed = call.formBody !== null || sent?.ext.includes(atomicExtension)
  if (call.isAtomic && sent && !isNamed) throw unsupportedMediaType()
  return next(call)
}

/**
 * Writes down what the client asks to have applied.
 * @returns what is applied to the document that it sends; null where it sends none.
 * @throws {JsonApiError} 406, 415
 */
export function negotiateExtensions(call: Call): Extensions | null {
  const { koa, api } = call
  const { headers } = koa.req
  const { accepts, sends } = acceptable(api.server)
  const accepted = call.mediaType === null ? accepts(headers.accept ?? '') : noExtensions
  call.negotiated = accepted
  if (!hasBody(koa.req)) return null
  const sent = sends(headers['content-type'] ?? '')
  call.negotiated = bothExtensions(accepted, sent)
  return sent
}

/** What headers mean to a server, kept by their text: there are few that clients send. */
const acceptable = memo(({ version, supportedExtensions }: CompiledServer) => ({
  accepts: cacheByText((header) => checkAccept(header || undefined, version, supportedExtensions)),
  sends: cacheByText((header) => checkContentType(header || undefined, version, supportedExtensions)),
}))

const keptHeaders = 50

const keptLength = 200

function cacheByText(check: (header: string) => Extensions): (header: string) => Extensions {
  const known = boundedCache<Extensions>(keptHeaders)
  return (header) => (header.length > keptLength ? check(header) : known.get(header, () => check(header)))
}

/**
 * Does the client take what this server sends? Without a header, and with ranges that cover the media type, it does.
 * A range with a parameter that JSON:API does not know is ignored; where it leaves none of the media type, none fits.
 *
 * @returns what the client asks to have applied, and the server knows (JSON:API 1.1).
 * @throws JsonApiError 406
 */
export function checkAccept(
  header: string | undefined,
  version: JsonApiObject['version'],
  known: Extensions = noExtensions,
): Extensions {
  const parts = splitUnquoted(header ?? '', ',').filter((part) => part !== '')
  if (parts.length === 0) return noExtensions
  const ranges = parts.map(parseRange).filter((range) => range !== null)
  const named = ranges.filter((range) => range.name === jsonApiMediaType)
  if (named.length === 0) return acceptWildcard(ranges)

  const usable = named.flatMap((range) => {
    const extensions = readExtensions(range.parameters, version, known)
    return extensions === null ? [] : [{ weight: range.weight, extensions }]
  })
  const [best] = usable.sort((a, b) => b.weight - a.weight)
  if (best === undefined || best.weight === 0) throw notAcceptable()
  return best.extensions
}

/**
 * Is the body what this server reads? Asked only where a body was sent.
 *
 * @returns what the client applied to its document, and the server knows (JSON:API 1.1).
 * @throws JsonApiError 415
 */
export function checkContentType(
  header: string | undefined,
  version: JsonApiObject['version'],
  known: Extensions = noExtensions,
): Extensions {
  const media = parseMediaType(header ?? '')
  const extensions = media?.name === jsonApiMediaType ? readExtensions(media.parameters, version, known) : null
  if (extensions === null) throw unsupportedMediaType()
  return extensions
}

interface Range extends MediaType {
  readonly weight: number
}

const qvalue = /^(?:0?\.\d+|[01]\.?0*)$/

function parseRange(text: string): Range | null {
  const media = parseMediaType(text)
  if (media === null) return null
  const weight = media.parameters.find(([name]) => name === 'q')?.[1] ?? '1'
  if (!qvalue.test(weight)) return null
  return { name: media.name, weight: Number(weight), parameters: media.parameters.filter(([name]) => name !== 'q') }
}

// The more specific range outweighs the other (RFC 9110 §12.5.1): `application/*;q=0, */*` refuses us.
function acceptWildcard(ranges: readonly Range[]): Extensions {
  const plain = ranges.filter((range) => range.parameters.length === 0)
  for (const name of ['application/*', '*/*']) {
    const weights = plain.filter((range) => range.name === name).map((range) => range.weight)
    if (weights.length === 0) continue
    if (Math.max(...weights) > 0) return noExtensions
    break
  }
  throw notAcceptable()
}

/** Null when the parameters make it another media type to this server. Unknown profiles are ignored, as 1.1 asks. */
function readExtensions(
  parameters: MediaType['parameters'],
  version: JsonApiObject['version'],
  known: Extensions,
): Extensions | null {
  const isForeign = (name: string) => version === '1.0' || (name !== 'ext' && name !== 'profile')
  if (parameters.some(([name]) => isForeign(name))) return null
  const ext = urisOf(parameters, 'ext')
  if (!ext.every((uri) => known.ext.includes(uri))) return null
  return { ext, profile: urisOf(parameters, 'profile').filter((uri) => known.profile.includes(uri)) }
}

function urisOf(parameters: MediaType['parameters'], wanted: string): string[] {
  const uris = parameters.filter(([name]) => name === wanted).flatMap(([, value]) => value.split(' '))
  return [...new Set(uris.filter((uri) => uri !== ''))]
}
