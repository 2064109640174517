import { parseMediaType, splitUnquoted } from '@prismapi/core/http/request/headers'
import { jsonApiMediaType } from '@prismapi/jsonapi/document/types'
import { boundedCache } from '@prismapi/jsonapi/model/memo'

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
