const time = /(\d{2}:\d{2}:\d{2}(?:\.\d+)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * The instant that a stored text means to Prisma: UTC where it names no zone, midnight where it names no time, 1970 where
 * it names no day. JavaScript alone would read some of them in the time zone of the machine.
 */
export function toInstant(text: string): Date {
  const found = time.exec(text)
  if (!found) return new Date(`${text}T00:00:00Z`)
  const [, clock = '', zone = 'Z'] = found
  const day = found.index === 0 ? '1970-01-01T' : text.slice(0, found.index).replace(/ $/, 'T')
  return new Date(day + clock + (zone.length === 3 ? `${zone}:00` : zone.replace(/^(...)(..)$/, '$1:$2')))
}
