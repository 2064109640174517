import { notAcceptable, unsupportedMediaType } from '../../document/errors.ts'
import { type Extensions, noExtensions } from '../../document/profiles.ts'
import type { JsonApiObject } from '../../document/types.ts'
import { type MediaType, parseMediaType, splitUnquoted } from './media-type.ts'

export const jsonApiMediaType = 'application/vnd.api+json'

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
    const extensions = extensionsOf(range.parameters, version, known)
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
  const extensions = media?.name === jsonApiMediaType ? extensionsOf(media.parameters, version, known) : null
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
function extensionsOf(
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
