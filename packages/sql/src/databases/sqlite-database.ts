import {
  type Bound,
  type SpellingOfInstants,
  type SqlDatabase,
  type Stored,
  TooMuchText,
  textIn,
} from '@prismapi/core/database/sql-database'
import { type BoundedCache, boundedCache } from '@prismapi/jsonapi/model/memo'
import Sqlite from 'better-sqlite3'
import { stillWanted } from '../dialects/sqlite-dialect.ts'
import { sqliteSizes } from './sqlite-sizes.ts'
import { storedInstants } from './stored-instants.ts'

/** The connection that writes, with its own way to prepare statements. */
export interface WritingConnection {
  readonly connection: Sqlite.Database
  readonly prepare: Sqlite.Database['prepare']
}

/** Is told that the connection is about to be used, and whether for writing. */
export type BeforeUse = (isWrite: boolean) => void

export interface SqliteDatabaseOptions {
  readonly onQuery?: ((sql: string) => void) | undefined
  /** The connection of the client that writes; null before there is one. */
  readonly writing?: () => WritingConnection | null
  /** How Prisma spells instants; left out, as texts. */
  readonly instants?: SpellingOfInstants
}

/** The framework's own triggers change no row that a statement has written. */
const triggered = "select distinct tbl_name from sqlite_master where type = 'trigger' and name not glob 'prismapi_*'"

/**
 * Reads a SQLite file, whose journal is in WAL mode: sees what is committed and waits for no writer.
 *
 * What is read without waiting for anything else is read from one snapshot, so that the levels, pages and totals
 * of a document agree: it begins with the first statement, and ends when Node has no promise left to go on with,
 * or before this process writes. A snapshot is never older than that, and none is open while the process waits.
 *
 * It is one of the connection that writes, while no transaction is open there: every
 * commit of another connection makes one forget the pages that it has read, and those
 * of this process are as many as its writes. Else it is one of a read-only connection.
 */
export function sqliteDatabase(file: string, options: SqliteDatabaseOptions): SqliteDatabase {
  const { onQuery, writing = () => null, instants = 'iso8601' } = options
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true })
  const own = sideOf({ connection, prepare: connection.prepare.bind(connection) as Sqlite.Database['prepare'] })
  let shared: Side | null = null
  let open: Side | null = null
  let writes = 0
  let schema: { readonly version: unknown; readonly tables: ReadonlySet<string> } = { version: null, tables: new Set() }
  const sharedIfFree = (): Side | null => {
    const now = writing()
    if (!now?.connection.open || now.connection.inTransaction) return null
    if (shared?.connection !== now.connection) shared = sideOf(now)
    return shared
  }
  const begin = (): Side => {
    // A statement that fails may take the transaction along, and Prisma Client may close its connection.
    if (open?.connection.inTransaction) return open
    const side = sharedIfFree() ?? own
    side.begin.run()
    open = side
    process.nextTick(end)
    return side
  }
  const end = () => {
    const side = open
    open = null
    if (side?.connection.inTransaction) side.commit.run()
  }
  return {
    provider: 'sqlite',
    schema: null,
    prepare(sql) {
      const ofOwn = own.read(sql)
      let ofShared: Sqlite.Statement<unknown[], Stored> | null = null
      return {
        all(values, characters) {
          onQuery?.(sql)
          const side = begin()
          if (side === own) return allOf(ofOwn, values, characters)
          if (ofShared?.database !== side.connection) ofShared = side.read(sql)
          return allOf(ofShared, values, characters)
        },
      }
    },
    // A connection is told of the commits of others alone.
    version() {
      const side = begin()
      const version = side.version.get() as number
      return side === own ? version : `${version} ${writes}`
    },
    triggeredTables() {
      const now = own.connection.pragma('schema_version', { simple: true })
      if (now !== schema.version)
        schema = { version: now, tables: new Set(own.connection.prepare(triggered).pluck().all() as string[]) }
      return schema.tables
    },
    instants,
    instantsIn: storedInstants(own.connection, instants),
    sizes: sqliteSizes(own.connection),
    allWithin(milliseconds, { sql, values, characters }) {
      if (!sql.includes(stillWanted)) return null
      const side = begin()
      const statement = side.kept.get(sql, () => side.read(sql))
      side.clock.start(milliseconds)
      try {
        const rows = allOf(statement, values, characters)
        onQuery?.(sql)
        return rows
      } catch (error) {
        if (error instanceof TookLong) return null
        throw error
      } finally {
        side.clock.stop()
      }
    },
    beforeUse(isWrite) {
      if (isWrite) writes++
      end()
    },
    close() {
      end()
      connection.close()
    },
  }
}

export interface SqliteDatabase extends SqlDatabase {
  /**
   * Ends the snapshot, because the connection that writes is about to be used: what is written is seen from then on.
   */
  readonly beforeUse: BeforeUse
  /** What the statement reads, where that takes no longer; else null, as of a statement that could not be ended. */
  allWithin(milliseconds: number, question: Question): readonly Stored[] | null
  close(): void
}

export interface Question {
  readonly sql: string
  readonly values: readonly Bound[]
  readonly characters: number | undefined
}

class TookLong extends Error {}

/** The rows of a statement, as long as they have no more text than that. */
export function allOf(
  statement: Sqlite.Statement<unknown[], Stored>,
  values: readonly Bound[],
  characters?: number,
): readonly Stored[] {
  if (characters === undefined) return statement.all(...values)
  const rows: Stored[] = []
  let left = characters
  for (const row of statement.iterate(...values)) {
    left -= textIn(row)
    if (left < 0) throw new TooMuchText()
    rows.push(row)
  }
  return rows
}

/** A connection that snapshots are read from. */
interface Side {
  readonly connection: Sqlite.Database
  readonly begin: Sqlite.Statement<[]>
  readonly commit: Sqlite.Statement<[]>
  readonly version: Sqlite.Statement<[], number>
  read(sql: string): Sqlite.Statement<unknown[], Stored>
  /** The statements that are tried. */
  readonly kept: BoundedCache<Sqlite.Statement<unknown[], Stored>>
  /** Of the one that is being tried. */
  readonly clock: Clock
}

const keptStatements = 500

/**
 * Time is over when it is by the clock and by that of the processor: a
 * process that has to wait for one does not read meanwhile.
 */
class Clock {
  private end = Number.POSITIVE_INFINITY
  private milliseconds = 0
  private before: NodeJS.CpuUsage | undefined

  start(milliseconds: number): void {
    this.before = process.cpuUsage()
    this.milliseconds = milliseconds
    this.end = performance.now() + milliseconds
  }

  stop(): void {
    this.end = Number.POSITIVE_INFINITY
  }

  isOver(): boolean {
    if (performance.now() <= this.end) return false
    const { user, system } = process.cpuUsage(this.before)
    return user + system > this.milliseconds * 1000
  }
}

function sideOf({ connection, prepare }: WritingConnection): Side {
  const clock = new Clock()
  connection.function(stillWanted, { varargs: true }, () => {
    if (clock.isOver()) throw new TookLong()
    return 1
  })
  return {
    connection,
    begin: prepare('BEGIN'),
    commit: prepare('COMMIT'),
    version: prepare<[], number>('PRAGMA data_version').safeIntegers(false).pluck(),
    read: (sql) => prepare<unknown[], Stored>(sql).safeIntegers(false).raw(),
    kept: boundedCache(keptStatements, 262_144),
    clock,
  }
}
