/** Gives the object back that it is given, so that a subclass can put private members on it. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: what makes the object of the caller the one that is built
    return object
  }
}

/** What nobody can see on a date: the text that it was read from, and when that was. */
class Origin extends Given {
  readonly #text: string
  readonly #time: number

  constructor(date: Date, text: string) {
    super(date)
    this.#text = text
    this.#time = date.getTime()
  }

  /** Null for a date that came from elsewhere, or was set to another time since. */
  static textOf(date: Date): string | null {
    if (!(#text in date)) return null
    return date.#time === date.getTime() ? date.#text : null
  }
}

/**
 * The date of a text like `2024-01-31T12:00:00.000+00:00`, which remembers its ISO text: databases keep texts, documents
 * show texts, and most dates are read in order to be shown. To write one out anew takes longer than to read it.
 */
export function dateOf(stored: string): Date {
  const date = new Date(stored)
  const iso = `${stored.slice(0, 23)}Z`
  // Some texts name a day that does not exist, or the hour 24: JavaScript takes them for the day after.
  if (stored.length === isoLength && date.getUTCDate() === Number(stored.slice(8, 10))) new Origin(date, iso)
  return date
}

/** `2024-01-31T12:00:00.000+00:00` */
const isoLength = 29

/** The ISO text of a date, in UTC and with milliseconds. */
export const isoTextOf = (date: Date): string => Origin.textOf(date) ?? date.toISOString()
