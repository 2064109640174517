import type { SpellingOfInstants, SqlDatabase, StoredInstants } from '@prismapi/core/database/sql-database'
import { quoted } from '@prismapi/core/database/tables'
import type Sqlite from 'better-sqlite3'

/** A table of so many rows is looked at after every commit: it takes less than a millisecond. */
const few = 1000n
/** Of the time, a hundredth goes into looking at larger ones. */
const share = 100

/** How one row has its instant. */
type Kind = 'usual' | 'zulu' | 'other'

/** By what Prisma writes: the kind of a row. */
const kindSql: Readonly<Record<SpellingOfInstants, (column: string) => string>> = {
  iso8601: (column) =>
    `case when ${column} glob '????-??-??T??:??:??.???+00:00' then 'usual' when ${column} glob '????-??-??T??:??:??.???Z' then 'zulu' else 'other' end`,
  'unixepoch-ms': (column) => `case typeof(${column}) when 'integer' then 'usual' else 'other' end`,
}

/**
 * How a column has its instants, which decides how statements compare and sort them.
 *
 * A commit may change the answer. Rows that were added are looked at then, and the whole table
 * where it is small, or where long enough has passed since the last time. That takes an index
 * over the column, where there is one. After a commit, a column that had JavaScript's spelling
 * alone is taken for one of both until it is looked at: the server itself spells as Prisma does.
 *
 * @param version of the database, which changes with each commit of others
 */
export function storedInstants(
  connection: Sqlite.Database,
  spelling: SpellingOfInstants,
  version: () => number,
): NonNullable<SqlDatabase['instantsIn']> {
  const columns = new Map<string, Column>()
  return ({ table }, name) => {
    const key = `${table}.${name}`
    let column = columns.get(key)
    if (!column) {
      column = watchedColumn(connection, table, { name, spelling })
      columns.set(key, column)
    }
    return column.instantsAt(version())
  }
}

interface Column {
  instantsAt(version: number): StoredInstants
}

function watchedColumn(
  connection: Sqlite.Database,
  table: string,
  { name, spelling }: { readonly name: string; readonly spelling: SpellingOfInstants },
): Column {
  const column = quoted(name)
  const kinds = `select distinct ${kindSql[spelling](column)} from ${quoted(table)} where ${column} is not null`
  const ofAll = connection.prepare<[], Kind>(kinds).pluck()
  const rowids = hasRowids(connection, table) && {
    last: connection
      .prepare<[], bigint>(`select coalesce(max(rowid), 0) from ${quoted(table)}`)
      .pluck()
      .safeIntegers(true),
    ofThoseBehind: connection.prepare<[bigint], Kind>(`${kinds} and rowid > ?`).pluck(),
  }
  let seen: number | null = null
  let found: ReadonlySet<Kind> = new Set()
  let last = 0n
  let next = 0

  function lookAtAll(begin: number): void {
    found = new Set(ofAll.all())
    const end = performance.now()
    next = end + (end - begin) * share
  }

  return {
    instantsAt(version) {
      if (version === seen) return together(found)
      const now = performance.now()
      const end = rowids ? (rowids.last.get() ?? 0n) : null
      if (now >= next || (end !== null && end <= few)) {
        lookAtAll(now)
        seen = version
      } else if (rowids && !found.has('other')) found = new Set([...found, ...rowids.ofThoseBehind.all(last)])
      last = end ?? last
      const stored = together(found)
      return stored === 'zulu' && version !== seen ? 'both' : stored
    },
  }
}

function together(found: ReadonlySet<Kind>): StoredInstants {
  if (found.has('other')) return 'mixed'
  if (!found.has('zulu')) return 'usual'
  return found.has('usual') ? 'both' : 'zulu'
}

// A view has none.
const hasRowids = (connection: Sqlite.Database, table: string): boolean =>
  connection.prepare("select 1 from pragma_table_list where name = ? and type = 'table' and not wr").get(table) !==
  undefined
