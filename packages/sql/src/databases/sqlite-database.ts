import {
  type Bound,
  type SpellingOfInstants,
  type SqlDatabase,
  type Stored,
  TooMuchText,
  textIn,
  type Version,
} from '@prismapi/core/database/sql-database'
import { type BoundedCache, boundedCache } from '@prismapi/jsonapi/model/memo'
import Sqlite from 'better-sqlite3'
import { stillWanted } from '../dialects/sqlite-dialect.ts'
import type { BeforeUse, WritingConnection } from '../prisma/sqlite-adapter.ts'
import { sqliteSizes } from './sqlite-sizes.ts'
import { storedInstants } from './stored-instants.ts'

export interface SqliteDatabaseOptions {
  readonly onQuery?: ((sql: string) => void) | undefined
  /** The connection of the client that writes; null before there is one. */
  readonly writing?: () => WritingConnection | null
  /** How Prisma spells instants; left out, as texts. */
  readonly instants?: SpellingOfInstants
}

/** The framework's own triggers change no row that a statement has written. */
const triggered = "select distinct tbl_name from sqlite_master where type = 'trigger' and name not glob 'prismapi_*'"

/** Reads a SQLite file, whose journal is in WAL mode: sees what is committed and waits for no writer. */
export function sqliteDatabase(file: string, options: SqliteDatabaseOptions): SqliteDatabase {
  const { onQuery, writing = () => null, instants = 'iso8601' } = options
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true })
  const snapshots = new Snapshots(connection, writing)
  return {
    provider: 'sqlite',
    schema: null,
    prepare(sql) {
      const ofOwn = snapshots.own.prepareRead(sql)
      let ofWriter: Sqlite.Statement<unknown[], Stored> | null = null
      return {
        all(values, characters) {
          onQuery?.(sql)
          const reading = snapshots.begin()
          if (reading === snapshots.own) return allOf(ofOwn, values, characters)
          if (ofWriter?.database !== reading.connection) ofWriter = reading.prepareRead(sql)
          return allOf(ofWriter, values, characters)
        },
      }
    },
    version: () => snapshots.version(),
    triggeredTables: triggeredTablesOf(connection),
    instants,
    instantsIn: storedInstants(connection, instants, () => snapshots.committedByOthers()),
    sizes: sqliteSizes(connection),
    allWithin(milliseconds, { sql, values, characters }) {
      if (!sql.includes(stillWanted)) return null
      const { tried, prepareRead, clock } = snapshots.begin()
      const statement = tried.get(sql, () => prepareRead(sql))
      clock.start(milliseconds)
      try {
        const rows = allOf(statement, values, characters)
        onQuery?.(sql)
        return rows
      } catch (error) {
        if (error instanceof TookLong) return null
        throw error
      } finally {
        clock.stop()
      }
    },
    beforeUse: (isWrite) => snapshots.beforeUse(isWrite),
    close() {
      snapshots.end()
      connection.close()
    },
  }
}

/**
 * Statements that wait for nothing else read from one snapshot, so that the levels, pages and totals of a document
 * agree. A snapshot begins with the first statement. It ends when Node has no promise left to go on with, or before
 * this process writes. None is open while the process waits.
 *
 * A snapshot is read by the connection that writes, while no transaction is open there: each commit of another
 * connection makes a connection forget the pages that it has read, and this process commits each of its writes. At
 * other times it is read by a read-only connection.
 */
class Snapshots {
  /** The read-only connection. */
  readonly own: ReadingConnection
  private readonly writing: () => WritingConnection | null
  private ofWriter: ReadingConnection | null = null
  private current: ReadingConnection | null = null
  private writes = 0
  /** Of the read-only connection, since the snapshot began; null where nobody asked. */
  private others: number | null = null

  constructor(connection: Sqlite.Database, writing: () => WritingConnection | null) {
    this.own = readingConnection({
      connection,
      prepare: connection.prepare.bind(connection) as Sqlite.Database['prepare'],
    })
    this.writing = writing
  }

  /** The connection of the snapshot that is open, or of a new one. */
  begin(): ReadingConnection {
    // A statement that fails may take the transaction along, and Prisma Client may close its connection.
    if (this.current?.connection.inTransaction) return this.current
    const reading = this.writerIfFree() ?? this.own
    reading.begin.run()
    this.current = reading
    this.others = null
    process.nextTick(this.end)
    return reading
  }

  readonly end = (): void => {
    const reading = this.current
    this.current = null
    this.others = null
    if (reading?.connection.inTransaction) reading.commit.run()
  }

  beforeUse(isWrite: boolean): void {
    if (isWrite) this.writes++
    this.end()
  }

  /** SQLite tells a connection only of the commits of others, so those of this process are counted. */
  version(): Version {
    const reading = this.begin()
    const version = reading.version.get() as number
    return reading === this.own ? version : `${version} ${this.writes}`
  }

  /** Asked once for each snapshot. It changes with each commit of another connection than the read-only one. */
  committedByOthers(): number {
    this.begin()
    this.others ??= this.own.version.get() as number
    return this.others
  }

  private writerIfFree(): ReadingConnection | null {
    const now = this.writing()
    if (!now?.connection.open || now.connection.inTransaction) return null
    if (this.ofWriter?.connection !== now.connection) {
      this.ofWriter = readingConnection(now)
      // A new connection begins to count the commits of others where the last one did.
      this.writes++
    }
    return this.ofWriter
  }
}

/** The tables with triggers of the application, looked up again after each change of the schema. */
function triggeredTablesOf(connection: Sqlite.Database): () => ReadonlySet<string> {
  let schema: { readonly version: unknown; readonly tables: ReadonlySet<string> } = { version: null, tables: new Set() }
  // `pragma()` would prepare it anew for each write.
  const version = connection.prepare('PRAGMA schema_version').pluck()
  return () => {
    const now = version.get()
    if (now !== schema.version)
      schema = { version: now, tables: new Set(connection.prepare(triggered).pluck().all() as string[]) }
    return schema.tables
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
interface ReadingConnection {
  readonly connection: Sqlite.Database
  readonly begin: Sqlite.Statement<[]>
  readonly commit: Sqlite.Statement<[]>
  readonly version: Sqlite.Statement<[], number>
  prepareRead(sql: string): Sqlite.Statement<unknown[], Stored>
  /** The statements of `allWithin`. */
  readonly tried: BoundedCache<Sqlite.Statement<unknown[], Stored>>
  /** The time of the one that runs. */
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

function readingConnection({ connection, prepare }: WritingConnection): ReadingConnection {
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
    prepareRead: (sql) => prepare<unknown[], Stored>(sql).safeIntegers(false).raw(),
    tried: boundedCache(keptStatements, 262_144),
    clock,
  }
}
