import type { CompiledServer } from '@prismapi/core/server/compile'
import type { Identifier } from '@prismapi/jsonapi/document/types'

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
