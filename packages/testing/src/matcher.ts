/** What stands where a value would: a regular expression, or a matcher of vitest or Jest, `expect.any(String)`. */
export type Matcher = RegExp | AsymmetricMatcher

interface AsymmetricMatcher {
  asymmetricMatch(found: unknown): boolean
  toAsymmetricMatcher?(): string
  /** What it was made of. */
  readonly sample?: unknown
}

export const isMatcher = (value: unknown): value is Matcher =>
  value instanceof RegExp || typeof (value as AsymmetricMatcher | null)?.asymmetricMatch === 'function'

// `search` begins at the beginning, whatever a regular expression with the flag g or y remembers.
export const isMatched = (found: unknown, matcher: Matcher): boolean =>
  matcher instanceof RegExp ? typeof found === 'string' && found.search(matcher) >= 0 : matcher.asymmetricMatch(found)

/** What lines call it: `/^One/`, `Any<String>`, `ObjectContaining {"title":"One"}`. */
function matcherName(matcher: Matcher): string {
  if (matcher instanceof RegExp) return String(matcher)
  const { sample } = matcher
  const name = matcher.toAsymmetricMatcher?.() ?? String(matcher)
  return sample === undefined || matcher.toAsymmetricMatcher ? name : `${name} ${textOf(sample)}`
}

/** The JSON text of a value in which matchers may stand. */
export const textOf = (value: unknown): string =>
  isMatcher(value)
    ? matcherName(value)
    : (JSON.stringify(value, (_, each) => (isMatcher(each) ? matcherName(each) : each)) ?? 'nothing')
