/**
 * What is seen of what a page shows: the page's own value where the two agree, and else what is there instead. So whoever
 * compares the result with the page gets a difference that is about the page alone.
 *
 * A page may show less: members may be left out, `"…"` as the last of an array is the rest of it, and in a string `HT9tq…`
 * or `4.6…` is any word.
 */
export function seenOf(shown: unknown, seen: unknown): unknown {
  if (typeof shown === 'string' && typeof seen === 'string') return matches(shown, seen) ? shown : seen
  if (Array.isArray(shown) && Array.isArray(seen)) return seenOfArray(shown, seen)
  if (isObject(shown) && isObject(seen) && Object.keys(shown).every((name) => name in seen))
    return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, seenOf(value, seen[name])]))
  return seen
}

function seenOfArray(shown: readonly unknown[], seen: readonly unknown[]): unknown[] {
  if (shown.at(-1) !== '…') return seen.map((each, i) => seenOf(shown[i], each))
  const first = seen.slice(0, shown.length - 1).map((each, i) => seenOf(shown[i], each))
  return seen.length >= shown.length ? [...first, '…'] : first
}

/** Whether a text is that of a page, where `HT9tq…` is any word. */
export function matches(shown: string, seen: string): boolean {
  const parts = shown.split(/[\w.-]*…/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^"&/\\s]+')}$`).test(seen)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
