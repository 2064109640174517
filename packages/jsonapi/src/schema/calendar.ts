// Days and times as ISO 8601 writes them, in the years 1 to 9999, which every database can hold.

const day = /^(\d{4})-(\d{2})-(\d{2})$/
const dateTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))$/

/** Is it a day that the calendar has: `2028-02-29`. */
export function isDate(value: string): boolean {
  const [year = 0, month = 0, date = 0] = (day.exec(value) ?? []).slice(1).map(Number)
  return year >= 1 && isDayOf(year, month, date)
}

const clock = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?$/

/** Is it a time of a day, to 23:59:59.999, without a zone: `09:30:00`. */
export function isTime(value: string): boolean {
  const [hour = 24, minute = 0, second = 0] = (clock.exec(value) ?? []).slice(1).map((text) => Number(text ?? 0))
  return hour <= 23 && minute <= 59 && second <= 59
}

/** Is it a date-time of a day that the calendar has: hours to 23, minutes and seconds to 59, `Z` or an offset. */
export function isDateTime(value: string): boolean {
  const [, date = '', ...clock] = dateTime.exec(value) ?? []
  const [hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = clock.map((text) => Number(text ?? 0))
  if (!isDay(date) || hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return false
  const instant = Date.parse(value)
  return instant >= firstInstant && instant <= lastInstant
}

/** The date-time in UTC, in milliseconds: finer digits are dropped. Null where it is none. */
export const parseDateTime = (value: string): string | null =>
  isDateTime(value) ? new Date(value).toISOString() : null

// The year 0 ends within the first hours of UTC's year 1, further west.
const isDay = (date: string): boolean => isDate(date.replace(/^0000/, '0004'))

const firstInstant = Date.parse('0001-01-01T00:00:00.000Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const lackedDay = /^(?:([1-9]\d{4,6})-(\d\d)-(\d\d)|(\d{4})-(\d\d)-(\d\d) BC)$/
const storedClock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{0,5}[1-9])?`
const lackedMoment = new RegExp(`^(\\S+) ${storedClock}((?:\\+00)?)((?: BC)?)$`)
const lackedClock = new RegExp(`^(?:24:00:00(?:[+-]\\d\\d)?|${storedClock}[+-](?!00$)(?:0\\d|1[0-5])(?::[0-5]\\d)?)$`)
/** Years that PostgreSQL has of a `timestamp`, of a `date`, and before the first. */
const lastYears = { moment: 294_275, day: 5_874_896, before: 4713 } as const

/**
 * Is it an instant that JavaScript lacks, in the one spelling in which PostgreSQL shows it in a column
 * of that type: `infinity`, `0044-03-15 BC`, `10000-01-01 00:00:00+00`, `24:00:00`, `09:00:00+02`.
 */
export function isLackedInstant(text: string, type: string): boolean {
  if (type === 'Time') return text === '24:00:00'
  if (type === 'Timetz') return text !== '24:00:00' && lackedClock.test(text)
  if (text === 'infinity' || text === '-infinity') return true
  if (type === 'Date') return isLackedDay(text, lastYears.day)
  const [, date, zone, era] = lackedMoment.exec(text) ?? []
  return zone === (type === 'Timestamptz' ? '+00' : '') && isLackedDay(`${date}${era}`, lastYears.moment)
}

function isLackedDay(text: string, last: number): boolean {
  const [behind, behindMonth, behindDay, before, month, date] = (lackedDay.exec(text) ?? []).slice(1).map(Number)
  if (behind) return behind <= last && isDayOf(behind, behindMonth, behindDay)
  // The year before the first is 1 BC, and a leap year.
  return !!before && before <= lastYears.before && isDayOf(before - 1, month, date)
}

const isDayOf = (year: number, month = 0, date = 0): boolean =>
  month >= 1 && month <= 12 && date >= 1 && date <= daysIn(year, month)
