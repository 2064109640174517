const hour = 3_600_000
const [opens, closes] = [9, 21]

/** The hours of a day, `2026-11-27`, in which rooms are rented. */
export const hoursOf = (day: string): readonly Date[] =>
  Array.from({ length: closes - opens }, (_, i) => new Date(Date.parse(day) + (opens + i) * hour))

export const endOf = (hourOfRoom: Date): Date => new Date(hourOfRoom.getTime() + hour)

/** Whether a time is whole hours of one day. */
export function isOpen(startsAt: Date, endsAt: Date): boolean {
  const midnight = Date.parse(startsAt.toISOString().slice(0, 10))
  const [from, to] = [startsAt, endsAt].map((instant) => (instant.getTime() - midnight) / hour)
  return (
    from !== undefined &&
    to !== undefined &&
    opens <= from &&
    from < to &&
    to <= closes &&
    (from + to) % 1 === 0 &&
    from % 1 === 0
  )
}
