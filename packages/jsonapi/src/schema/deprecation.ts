/**
 * Says that something will be gone: a server, a type, a field, a filter or an action. It works as before; answers to
 * requests that use it say so in `Deprecation` and `Sunset` (RFC 9745, RFC 8594), and the OpenAPI document does.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9745
 * @see https://www.rfc-editor.org/rfc/rfc8594
 * @example
 * const ending: Deprecation = { since: '2026-01-01', sunset: '2026-12-31', link: 'https://example.org/v2' }
 */
export interface Deprecation {
  /**
   * From when on its use is discouraged: a day, `2026-01-01`, which
   * begins in UTC, or an instant, `2026-01-01T12:00:00Z`.
   */
  readonly since: string
  /** From when on it may not answer any more: not before `since`. */
  readonly sunset?: string
  /** Where people read what to do instead: an absolute URL. */
  readonly link?: string
}

/** What clients are told of several: of each date the first, and every page. */
export interface Ending {
  readonly since: string
  readonly sunset: string | null
  readonly links: readonly string[]
}

/** The end of what makes use of all of these; null where there are none. */
export function endingOf(deprecations: readonly Deprecation[]): Ending | null {
  const [since] = deprecations.map((each) => each.since).sort(byTime)
  if (since === undefined) return null
  const [sunset = null] = deprecations.flatMap((each) => each.sunset ?? []).sort(byTime)
  return { since, sunset, links: [...new Set(deprecations.flatMap(({ link }) => link ?? []))] }
}

const byTime = (a: string, b: string): number => Date.parse(a) - Date.parse(b)

/**
 * A deprecation as it was declared; null where there is none.
 *
 * @throws {Error} that begins with `what`, for a date that is none, a
 * sunset before its beginning, and a link that is no URL.
 */
export function checkDeprecation(what: string, declared: Deprecation | undefined): Deprecation | null {
  if (declared === undefined) return null
  const { since, sunset, link } = declared
  checkDate(`${what}.since`, since)
  if (sunset !== undefined) checkDate(`${what}.sunset`, sunset)
  if (sunset !== undefined && byTime(sunset, since) < 0)
    throw new Error(`${what}: the sunset ${sunset} is before ${since}, since when it is deprecated. Name a later one.`)
  if (link !== undefined && !URL.canParse(link))
    throw new Error(`${what}.link: "${link}" is no absolute URL. Write it with its origin.`)
  return Object.freeze({ ...declared })
}

// Dates that JavaScript alone would take, as those of a time zone of its own, mean something else elsewhere.
const date = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

function checkDate(what: string, text: string): void {
  if (date.test(text) && !Number.isNaN(Date.parse(text)) && isOnCalendar(text)) return
  throw new Error(`${what}: "${text}" is no date. Write a day, 2026-01-01, or an instant, 2026-01-01T12:00:00Z.`)
}

// 2026-02-30 is the second of March to JavaScript.
const isOnCalendar = (text: string): boolean => new Date(text.slice(0, 10)).toISOString().startsWith(text.slice(0, 10))
