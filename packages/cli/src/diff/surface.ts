import type { Shape } from './shape.ts'

/** What the document says of the end of a part. */
export interface Announcement {
  /** Since when its use is discouraged; null where the document does not say. */
  readonly since: string | null
  /** From when on it may be gone. */
  readonly sunset: string | null
}

/** One thing of an API that clients rely on. */
export interface Part {
  readonly key: string
  /** The type that it belongs to, or `API`. */
  readonly where: string
  /** `attribute title`, `GET /posts`, `filter[title]` */
  readonly what: string
  /** The part that it lies in: where that is gone, or new, nothing is said of this one. */
  readonly within: string | null
  /** Others that it cannot be without. */
  readonly needs: readonly string[]
  /** Something that clients have to send, and lose nothing by when it is gone. */
  readonly isDemand: boolean
  /** Which way its values travel. */
  readonly direction: 'sent' | 'shown'
  readonly shape: Shape | null
  readonly announcement: Announcement | null
}

/** A list of paths that is too long to be written out, and so a pattern: by the key of the part that they lie in. */
export interface Open {
  readonly within: string
  readonly accepts: RegExp
}

/** An API as its clients see it: what is compared with another. */
export interface Surface {
  readonly parts: ReadonlyMap<string, Part>
  readonly open: ReadonlyMap<string, RegExp>
}

type Known = Pick<Part, 'where' | 'what'> & Partial<Part>

/** A part by what is known of it; it lies in its type unless something else is said. */
export const part = ({ where, what, ...known }: Known): Part =>
  Object.freeze({
    where,
    what,
    key: keyOf(where, what),
    within: placeOf(where, what),
    needs: [],
    isDemand: false,
    direction: 'sent',
    shape: null,
    announcement: null,
    ...known,
  })

/** Where parts belong that no type has. */
export const api = 'API'
/** What the parts are called that others lie in. */
export const apiItself = 'the server'
export const typeItself = 'the type'

function placeOf(where: string, what: string): string | null {
  if (where !== api && what !== typeItself) return keyOf(where, typeItself)
  return what === apiItself ? null : keyOf(api, apiItself)
}

export const keyOf = (where: string, what: string): string => `${where} ${what}`

/** An API as it was, and the instant that its sunsets are compared with. */
export interface Announced {
  readonly old: Surface
  readonly at: Date
}

/** The sunset of a part that is over; null where there was none, or it is still to come. */
export function passedSunset({ old, at }: Announced, part: Part): string | null {
  const over = announcementsFor(old, part).flatMap(({ sunset }) =>
    // A day's is over when it begins, in UTC.
    sunset !== null && Date.parse(sunset) <= at.getTime() ? [sunset] : [],
  )
  return over[0] ?? null
}

/** What was announced of a part, and of what it cannot be without; the nearest first. */
const announcementsFor = (surface: Surface, part: Part): readonly Announcement[] => [
  ...(part.announcement ? [part.announcement] : []),
  ...announcementsAbove(surface, part),
]

/** What was announced of that which a part cannot be without. */
export function announcementsAbove(surface: Surface, { within, needs }: Part): readonly Announcement[] {
  const above = [within, ...needs].flatMap((key) => (key === null ? [] : (surface.parts.get(key) ?? [])))
  return above.flatMap((each) => announcementsFor(surface, each))
}
