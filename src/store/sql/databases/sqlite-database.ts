import Sqlite from 'better-sqlite3'
import type { SqlDatabase, Stored } from '../database.ts'

/** The connection that writes, with its own way to prepare statements. */
export interface WritingConnection {
  readonly connection: Sqlite.Database
  readonly prepare: Sqlite.Database['prepare']
}

export interface SqliteDatabaseOptions {
  readonly onQuery?: ((sql: string) => void) | undefined
  /** The connection of the client that writes; null before there is one. */
  readonly writing?: () => WritingConnection | null
}

/**
 * Reads a SQLite file, whose journal is in WAL mode: sees what is committed and waits for nobody.
 *
 * What is read without waiting for anything else is read from one snapshot, so that the levels, pages and totals of a
 * document agree: it begins with the first statement, and ends when Node has no promise left to go on with. A snapshot is
 * never older than that, and none is open while the process waits.
 *
 * It is one of the connection that writes, while no transaction is open there: every commit of another connection makes one
 * forget the pages that it has read, and those of this process are as many as its writes. Else it is one of a read-only
 * connection.
 */
export function sqliteDatabase(file: string, { onQuery, writing = () => null }: SqliteDatabaseOptions): SqliteDatabase {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true })
  const own = sideOf({ connection, prepare: connection.prepare.bind(connection) as Sqlite.Database['prepare'] })
  let shared: Side | null = null
  let open: Side | null = null
  let writes = 0
  const sharedIfFree = (): Side | null => {
    const now = writing()
    if (!now?.connection.open || now.connection.inTransaction) return null
    if (shared?.connection !== now.connection) shared = sideOf(now)
    return shared
  }
  const begin = (): Side => {
    if (open !== null) return open
    open = sharedIfFree() ?? own
    open.begin.run()
    process.nextTick(end)
    return open
  }
  const end = () => {
    const side = open
    open = null
    // Prisma Client may have closed its own.
    if (side?.connection.open) side.commit.run()
  }
  const refresh = () => {
    writes++
    end()
  }
  return {
    provider: 'sqlite',
    schema: null,
    prepare(sql) {
      const statements = new Map([[own, own.read(sql)]])
      return {
        all(values) {
          onQuery?.(sql)
          const side = begin()
          const statement = statements.get(side) ?? side.read(sql)
          statements.set(side, statement)
          return statement.all(...values)
        },
      }
    },
    // A connection is told of the commits of others alone.
    version() {
      const side = begin()
      const version = side.version.get() as number
      return side === own ? version : `${version} ${writes}`
    },
    refresh,
    close() {
      end()
      connection.close()
    },
  }
}

export interface SqliteDatabase extends SqlDatabase {
  /** Ends the snapshot, because something is about to be written: what is read from then on sees it. */
  refresh(): void
  close(): void
}

/** A connection that snapshots are read from. */
interface Side {
  readonly connection: Sqlite.Database
  readonly begin: Sqlite.Statement<[]>
  readonly commit: Sqlite.Statement<[]>
  readonly version: Sqlite.Statement<[], number>
  read(sql: string): Sqlite.Statement<unknown[], Stored>
}

const sideOf = ({ connection, prepare }: WritingConnection): Side => ({
  connection,
  begin: prepare('BEGIN'),
  commit: prepare('COMMIT'),
  version: prepare<[], number>('PRAGMA data_version').safeIntegers(false).pluck(),
  read: (sql) => prepare<unknown[], Stored>(sql).safeIntegers(false).raw(),
})
