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
