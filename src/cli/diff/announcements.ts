import type { Announcement, Part, Surface } from './surface.ts'

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
