import type { ColumnTypeEnum, SqlQueryable } from '@prisma/driver-adapter-utils'
import { toInstant } from '../codecs/instants.ts'

// The package is a part of the adapter, and need not be there for who imports.
const dateTime: (typeof ColumnTypeEnum)['DateTime'] = 10

/** What Prisma Client takes for an instant of itself: with a T, and a zone of hours and minutes. */
const isKnown = /T.*(?:Z|[+-]\d\d:\d\d)$/

/**
 * Lets Prisma Client read instants of every spelling, as prepared statements do. Of some, like `2026-01-01 00:00:00 +00:00`, it would make an
 * invalid date, and fail in the next step.
 *
 * @returns the same connection
 */
export function withInstantsRead<Connection extends Pick<SqlQueryable, 'queryRaw'>>(
  connection: Connection,
): Connection {
  const query = connection.queryRaw.bind(connection)
  const queryRaw: typeof query = async (asked) => {
    const found = await query(asked)
    const columns = found.columnTypes.flatMap((type, i) => (type === dateTime ? [i] : []))
    if (columns.length === 0) return found
    for (const row of found.rows) for (const i of columns) row[i] = respelt(row[i])
    return found
  }
  return Object.assign(connection, { queryRaw })
}

function respelt(value: unknown): unknown {
  if (typeof value !== 'string' || isKnown.test(value)) return value
  const instant = toInstant(value)
  return Number.isNaN(instant.getTime()) ? value : instant.toISOString()
}
