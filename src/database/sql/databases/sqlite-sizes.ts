import type Sqlite from 'better-sqlite3'
import { quoted } from '../../quoted.ts'
import type { SqlDatabase, TableName } from '../../sql-database.ts'

/** How often the ids of a table are parted at a gap. */
const partings = 16
/** Few enough to be taken as they are: prices know no smaller table. */
const few = 1000n
/** A row of one small number beside its id, with its place in the page. */
const smallestRow = 8n

/**
 * The most rows that tables can have, in no time: a row for each id between the first and the last, without the large gaps that ids
 * from elsewhere leave, and no more than the file has room for. What was deleted between others counts. Of a table that a migration
 * has yet to make, nothing is told.
 */
export function sqliteSizes(connection: Sqlite.Database): NonNullable<SqlDatabase['sizes']> {
  // One snapshot: what was there stays there.
  return connection.transaction((tables: readonly TableName[]) => {
    const counted = new Set(connection.prepare('select name from pragma_table_list where not wr').pluck().all())
    const room = connection.prepare<[], bigint>(
      'select page_count * page_size from pragma_page_count, pragma_page_size',
    )
    const most = (room.safeIntegers(true).pluck().get() ?? 0n) / smallestRow
    return tables.map(({ table }) => {
      if (!counted.has(table)) return null
      const ids = idsIn(connection, table)
      return Number(ids < most ? ids : most)
    })
  })
}

interface Range {
  readonly first: bigint
  readonly last: bigint
}

function idsIn(connection: Sqlite.Database, table: string): bigint {
  const from = quoted(table)
  const ends = pair(connection, `select (select min(rowid) from ${from}), (select max(rowid) from ${from})`).get()
  if (ends?.[0] == null || ends[1] == null) return 0n
  let ranges: readonly Range[] = [{ first: ends[0], last: ends[1] }]
  const around = pair(
    connection,
    `select (select max(rowid) from ${from} where rowid <= ?), (select min(rowid) from ${from} where rowid > ?)`,
  )
  for (let parted = 0; parted < partings; parted++) {
    const widest = ranges.reduce((one, other) => (width(other) > width(one) ? other : one))
    if (width(widest) <= few) break
    const { first, last } = widest
    const middle = first + (last - first) / 2n
    const [before, after] = around.get(middle, middle) as [bigint, bigint]
    ranges = [...ranges.filter((each) => each !== widest), { first, last: before }, { first: after, last }]
  }
  return ranges.reduce((sum, range) => sum + width(range), 0n)
}

const width = ({ first, last }: Range): bigint => last - first + 1n

const pair = (connection: Sqlite.Database, sql: string) =>
  connection.prepare<unknown[], readonly [bigint | null, bigint | null]>(sql).raw().safeIntegers(true)
