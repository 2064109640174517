const spellings = new WeakMap<Date, string | number>()

/**
 * Remembers how SQLite has an instant that another program spelled. Rows are ordered by what is stored there, so that what is compared
 * with a row's instant has to be spelled as it is.
 */
export function storedInstant(instant: Date, stored: string | number): Date {
  spellings.set(instant, stored)
  return instant
}

/** How SQLite has an instant that came from a row there; undefined where it is spelled as Prisma spells it. */
export const spellingOf = (instant: Date): string | number | undefined => spellings.get(instant)
