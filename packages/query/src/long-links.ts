import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Call } from '@prismapi/core/http/call'
import type { Link } from '@prismapi/jsonapi/document/types'
import type { BytesSeal } from '@prismapi/jsonapi/pagination/bytes-seal'
import type { LinkWriter } from '@prismapi/jsonapi/request/hook-context'

/** Characters of a URL that each program on the way takes. */
const plainLength = 4000
/** Those of a URL that most of them take. */
const sealedLength = 8000
/** A question with so many has no link that is too long, whatever its pages add. */
const shortLength = 2000

/** The links of documents where a URL would be too long. */
export interface LongLinks {
  /** How the links are written; null where all are plain URLs. */
  writerFor(query: string): LinkWriter | null
  /** A link to a URL that is too long, where one holds its query; null: the URL is what there is. */
  shorten(url: string): string | null
  /** The query that a link to this URL holds; null for what was not sealed for it. */
  open(call: Call, sealed: string): string | null
}

/**
 * Seals say nothing to clients, and belong to one URL. The same question has the same seal, so that a document does not
 * change from one request to the next.
 */
export const longLinks = (seal: BytesSeal): LongLinks => ({
  writerFor: (query) => (query.length > shortLength ? (url) => linkTo(url, seal) : null),
  shorten(url) {
    const link = isSealed(url) ? url : linkTo(url, seal)
    return typeof link === 'string' && link !== url ? link : null
  },
  open(call, sealed) {
    const { server } = call.api
    const bytes = seal.open(server.baseUrl + call.path, sealed)
    // Links have each sign percent-encoded, in three characters, and the parameters of another page.
    const maxOutputLength = 3 * server.limits.queryBytes + shortLength
    return bytes && inflateRawSync(bytes, { maxOutputLength }).toString('latin1')
  },
})

/** Has a URL, or its query, a seal in it? */
export const isSealed = (url: string): boolean => /[?&]query=/.test(url)

function linkTo(url: string, seal: BytesSeal): Link {
  if (url.length <= plainLength) return url
  const at = url.indexOf('?')
  const [href, body] = [url.slice(0, at), url.slice(at + 1)]
  const sealed = `${href}?query=${seal.seal(href, deflateRawSync(Buffer.from(body, 'latin1'), { level: 9 }))}`
  return sealed.length <= sealedLength ? sealed : { href, meta: { method: 'QUERY', body } }
}
