import { type Deprecation, type Ending, endingOf } from '@prismapi/jsonapi/schema/deprecation'
import type { Context } from 'koa'

/**
 * Sets the dates and links of what a request uses. Called again when more is known, it replaces dates and adds links.
 */
export function setDeprecationHeaders({ res }: Context, uses: readonly Deprecation[]): void {
  const ending = endingOf(uses)
  if (!ending) return
  const { Link: links = [], ...dates } = headersOf(ending)
  for (const [name, value] of Object.entries(dates)) res.setHeader(name, value)
  // What middleware before the server says stays.
  const said = [res.getHeader('Link') ?? []].flat().map(String)
  if (links.length > 0) res.setHeader('Link', [...new Set([...said, ...links])])
}

interface Headers {
  readonly Deprecation: string
  readonly Sunset?: string
  readonly Link?: readonly string[]
}

/** RFC 9745: a date of structured fields, which is seconds. RFC 8594: a date of HTTP. */
export function headersOf({ since, sunset, links }: Ending): Headers {
  const relations = sunset === null ? ['deprecation'] : ['deprecation', 'sunset']
  return {
    Deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    ...(sunset !== null && { Sunset: new Date(sunset).toUTCString() }),
    ...(links.length > 0 && {
      Link: links.flatMap((link) => relations.map((relation) => `<${new URL(link).href}>; rel="${relation}"`)),
    }),
  }
}
