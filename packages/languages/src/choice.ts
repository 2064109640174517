import type { Context } from 'koa'

/** Browsers send shorter ones; to weigh thousands of entries would cost every error its time. */
const longestHeader = 500

/**
 * Returns a function that chooses a tag by a request's `Accept-Language`: the first one in the request's order that is
 * offered, itself or by its beginning (`de-AT` takes `de`); for `de` also `de-CH`. A request without a preference gets
 * the first tag.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4647#section-3.4
 */
export function chooserOf(tags: readonly [string, ...string[]]): (ctx: Context) => string {
  const offered = new Map(tags.map((tag) => [tag.toLowerCase(), tag]))
  const names = [...offered.keys()]
  return (ctx) => {
    const header = ctx.get('Accept-Language').toLowerCase()
    if (header === '' || header.length > longestHeader) return tags[0]
    const wanted = ctx.acceptsLanguages().map((range) => range.toLowerCase())
    const refused = new Set(rangesOf(header).filter((range) => !wanted.includes(range)))
    const takes = (range: string): string | undefined => {
      if (range === '*') return names.find((name) => !beginningsOf(name).some((beginning) => refused.has(beginning)))
      const allowed = names.filter((name) => !refused.has(name))
      return (
        beginningsOf(range).find((beginning) => allowed.includes(beginning)) ??
        allowed.find((name) => name.startsWith(`${range}-`))
      )
    }
    for (const range of wanted) {
      const name = takes(range)
      if (name !== undefined) return offered.get(name) as string
    }
    return tags[0]
  }
}

const rangesOf = (header: string): readonly string[] =>
  header.split(',').map((entry) => (entry.split(';')[0] as string).trim())

/** `zh-hant-tw`, `zh-hant`, `zh`. */
function beginningsOf(tag: string): readonly string[] {
  const parts = tag.split('-')
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'))
}
