import type Sqlite from 'better-sqlite3'
import { quoted } from '../../quoted.ts'
import type { SpellingOfInstants, SqlDatabase } from '../../sql-database.ts'

/** A table of so many rows is looked at after every commit: it takes less than a millisecond. */
const few = 1000n
/** Of the time, a hundredth goes into looking at larger ones. */
const share = 100

/** What Prisma writes. */
const usual: Readonly<Record<SpellingOfInstants, (column: string) => string>> = {
  iso8601: (column) => `${column} glob '????-??-??T??:??:??.???+00:00'`,
  'unixepoch-ms': (column) => `typeof(${column}) = 'integer'`,
}

/**
 * Whether a column holds instants that are spelled in another way than Prisma does. Then texts do not tell which of them is earlier, and
 * no index helps; of all other columns they do, and statements stay as they are.
 *
 * A commit may change the answer. Rows that were added are looked at then, and the whole table where it is small, or where long enough
 * has passed since the last time. That takes an index over the column, where there is one.
 */
export function mixedInstants(
  connection: Sqlite.Database,
  spelling: SpellingOfInstants,
): NonNullable<SqlDatabase['mixesInstants']> {
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck()
  const columns = new Map<string, Column>()
  return ({ table }, name) => {
    const key = `${table}.${name}`
    let column = columns.get(key)
    if (!column) {
      column = columnOf(connection, table, { name, spelling })
      columns.set(key, column)
    }
    return column.isMixed(version.get() as number)
  }
}

interface Column {
  isMixed(version: number): boolean
}

function columnOf(
  connection: Sqlite.Database,
  table: string,
  { name, spelling }: { readonly name: string; readonly spelling: SpellingOfInstants },
): Column {
  const column = quoted(name)
  const odd = `${column} is not null and not (${usual[spelling](column)})`
  const any = connection.prepare(`select 1 from ${quoted(table)} where ${odd} limit 1`)
  const rowids = hasRowids(connection, table) && {
    last: connection
      .prepare<[], bigint>(`select coalesce(max(rowid), 0) from ${quoted(table)}`)
      .pluck()
      .safeIntegers(true),
    anyBehind: connection.prepare<[bigint]>(`select 1 from ${quoted(table)} where rowid > ? and ${odd} limit 1`),
  }
  let seen: number | null = null
  let mixed = false
  let last = 0n
  let next = 0

  function lookAtAll(begin: number): void {
    mixed = any.get() !== undefined
    const end = performance.now()
    next = end + (end - begin) * share
  }

  return {
    isMixed(version) {
      if (version === seen) return mixed
      const now = performance.now()
      const end = rowids ? (rowids.last.get() ?? 0n) : null
      if (now >= next || (end !== null && end <= few)) {
        lookAtAll(now)
        seen = version
      } else if (rowids && !mixed) mixed = rowids.anyBehind.get(last) !== undefined
      last = end ?? last
      return mixed
    },
  }
}

// A view has none.
const hasRowids = (connection: Sqlite.Database, table: string): boolean =>
  connection.prepare("select 1 from pragma_table_list where name = ? and type = 'table' and not wr").get(table) !==
  undefined
