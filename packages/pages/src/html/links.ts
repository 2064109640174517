import type { CompiledServer } from '@prismapi/core/server/compile'
import type { Identifier, Link, Meta } from '@prismapi/jsonapi/document/types'
import { type Content, html } from './html.ts'

/**
 * Where a page links to for a link of a document; null if no page links there. Links of the server itself lose their
 * origin: the reader stays on the host that they asked, whatever the public base URL is.
 */
export function hrefOf(
  { baseUrl, basePath }: Pick<CompiledServer, 'baseUrl' | 'basePath'>,
  link: Link | null | undefined,
) {
  const { href, meta } = typeof link === 'object' && link !== null ? link : { href: link ?? null, meta: null }
  // A question that no link holds is asked by its URL all the same: pages have no other way.
  const { method, body } = (meta ?? {}) as Meta
  const url = href !== null && method === 'QUERY' ? `${href}?${body}` : href
  if (url === null) return null
  const rest = url.slice(baseUrl.length)
  if (url.startsWith(baseUrl) && /^(?:$|[/?#])/.test(rest)) return basePath + rest
  return isWebAddress(url) ? url : null
}

/** Only such an address becomes a link: `javascript:` and the like stay text. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s"'<>]+$/i.test(text) && URL.canParse(text)

/** A link, or nothing but its content where it leads nowhere. */
export const anchor = (href: string | null, content: Content): Content =>
  href === null ? content : html`<a href="${href}">${content}</a>`

/** An address to write to. */
export const isMailAddress = (text: string): boolean => /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(text)

/** An image of this origin: from nowhere else does the policy of the pages let one be loaded. */
export const isImageHere = (text: string): boolean => /^\/[\w-][\w./-]*\.(?:png|jpe?g|gif|webp|avif)$/i.test(text)

/** A path of this origin. */
export const isPathHere = (text: string): boolean => /^\/(?![/\\])[^\s"'<>\\]*$/.test(text)

export const resourceHref = ({ basePath }: Pick<CompiledServer, 'basePath'>, { type, id }: Identifier): string =>
  `${basePath}/${type}/${encodeURIComponent(id)}`

/** The same query with other parameters; null takes one out. */
export function withParameters(search: string, changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  return query.size === 0 ? '' : `?${readable(query)}`
}

// Which page it was means nothing in another order, or among other resources.
const place = /^page\[(?!size\]|limit\])/

/** The same query from its first page on. */
export const fromStart = (search: string): string =>
  `?${new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => !place.test(name)))}`

/** As people write it: what a query may have as it is stays as it is. */
const readable = (query: URLSearchParams): string =>
  query.toString().replace(/%(?:5B|5D|2C|3A|2F)/g, (code) => decodeURIComponent(code))

/** A comma list of the query. */
export const listOf = (sent: URLSearchParams, name: string): readonly string[] =>
  (sent.get(name) ?? '').split(',').filter((value) => value !== '')
