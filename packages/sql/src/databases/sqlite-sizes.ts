import type { MeasuredTable, SqlDatabase, TableSize } from '@prismapi/core/database/sql-database'
import { quoted } from '@prismapi/core/database/tables'
import type Sqlite from 'better-sqlite3'

/** How often the ids of a table are parted at a gap. */
const partings = 16
/** Few enough to be taken as they are: prices know no smaller table. */
const few = 1000n
/** A row of one small number beside its id, with its place in the page. */
const smallestRow = 8n
/** How many rows of a table are looked at. */
const sampled = 200
/** A value that fewer of them have may have come up by chance. */
const frequent = 4
const stride = 7919n

/**
 * The most rows that tables can have, in no time: a row for each id between the first and the last,
 * without the large gaps that ids from elsewhere leave, and no more than the file has room for. What
 * was deleted between others counts. Of a table that a migration has yet to make, nothing is told.
 *
 * How often values come, and how long texts are, is told by some rows from all over the table.
 */
export function sqliteSizes(connection: Sqlite.Database): NonNullable<SqlDatabase['sizes']> {
  // One snapshot: what was there stays there.
  return connection.transaction((tables: readonly MeasuredTable[]) => {
    const counted = new Set(connection.prepare('select name from pragma_table_list where not wr').pluck().all())
    const room = connection.prepare<[], bigint>(
      'select page_count * page_size from pragma_page_count, pragma_page_size',
    )
    const most = (room.safeIntegers(true).pluck().get() ?? 0n) / smallestRow
    return tables.map((measured) => {
      if (!counted.has(measured.table)) return null
      const ranges = rangesIn(connection, measured.table)
      const ids = ranges.reduce((sum, range) => sum + width(range), 0n)
      return sizeOf(connection, measured, { ranges, rows: Number(ids < most ? ids : most) })
    })
  })
}

interface Range {
  readonly first: bigint
  readonly last: bigint
}

/** The ids of a table, without its largest gaps. */
function rangesIn(connection: Sqlite.Database, table: string): readonly Range[] {
  const from = quoted(table)
  const ends = pair(connection, `select (select min(rowid) from ${from}), (select max(rowid) from ${from})`).get()
  if (ends?.[0] == null || ends[1] == null) return []
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
  return ranges
}

const width = ({ first, last }: Range): bigint => last - first + 1n

const pair = (connection: Sqlite.Database, sql: string) =>
  connection.prepare<unknown[], readonly [bigint | null, bigint | null]>(sql).raw().safeIntegers(true)

interface Found {
  readonly ranges: readonly Range[]
  readonly rows: number
}

function sizeOf(
  connection: Sqlite.Database,
  { table, keys, texts }: MeasuredTable,
  { ranges, rows }: Found,
): TableSize {
  const columns = [...keys.map(quoted), ...texts.map((text) => `octet_length(${quoted(text)})`)]
  const known = new Set(connection.prepare(`select name from pragma_table_info(?)`).pluck().all(table))
  // Columns may be those of a migration that is yet to come, too.
  const isThere = [...keys, ...texts].every((column) => known.has(column))
  if (columns.length === 0 || !isThere) return { rows, most: keys.map(() => 0), octets: texts.map(() => 0) }
  const at = connection
    .prepare<[bigint], readonly unknown[]>(
      `select ${columns.join(', ')} from ${quoted(table)} where rowid >= ? order by rowid limit 1`,
    )
    .raw()
  const sample = placesIn(ranges).map((place) => at.get(place) ?? [])
  return {
    rows,
    most: keys.map((_, i) => {
      const times = mostFrequent(sample.map((row) => row[i]))
      return times < frequent ? 0 : Math.ceil((times / sample.length) * rows)
    }),
    octets: texts.map((_, i) => mean(sample.map((row) => Number(row[keys.length + i] ?? 0)))),
  }
}

/**
 * Ids from all over the ranges, each range with as many as its width is worth; in no step that the rows may have, too.
 */
function placesIn(ranges: readonly Range[]): readonly bigint[] {
  const ids = ranges.reduce((sum, range) => sum + width(range), 0n)
  const count = ids < BigInt(sampled) ? ids : BigInt(sampled)
  return Array.from({ length: Number(count) }, (_, i) => {
    let left = (BigInt(i) * ids) / count + ((BigInt(i) * stride) % (ids / count))
    for (const range of ranges) {
      if (left < width(range)) return range.first + left
      left -= width(range)
    }
    return 0n
  })
}

function mostFrequent(values: readonly unknown[]): number {
  const times = new Map<unknown, number>()
  for (const value of values) if (value != null) times.set(value, (times.get(value) ?? 0) + 1)
  return Math.max(0, ...times.values())
}

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length
