import Sqlite from 'better-sqlite3'
import type { SqlDatabase, Stored } from '../database.ts'

/**
 * A read-only connection to a SQLite file, whose journal is in WAL mode: it sees what is committed and waits for nobody.
 *
 * What is read without waiting for anything else is read from one snapshot, so that the levels, pages and totals of a
 * document agree: it begins with the first statement, and ends when Node has no promise left to go on with. A snapshot is
 * never older than that, and none is open while the process waits.
 */
export function sqliteDatabase(file: string, onQuery: ((sql: string) => void) | undefined): SqliteDatabase {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true })
  const statements = {
    begin: connection.prepare('BEGIN'),
    commit: connection.prepare('COMMIT'),
    version: connection.prepare<[], number>('PRAGMA data_version').pluck(),
  }
  let isOpen = false
  const begin = () => {
    if (isOpen) return
    statements.begin.run()
    isOpen = true
    process.nextTick(refresh)
  }
  const refresh = () => {
    if (!isOpen) return
    isOpen = false
    statements.commit.run()
  }
  return {
    provider: 'sqlite',
    schema: null,
    prepare(sql) {
      const statement = connection.prepare<unknown[], Stored>(sql).raw()
      return {
        all(values) {
          onQuery?.(sql)
          begin()
          return statement.all(...values)
        },
      }
    },
    // This connection never writes, so all writes are those of others.
    version() {
      begin()
      return statements.version.get() as number
    },
    refresh,
    close() {
      refresh()
      connection.close()
    },
  }
}

export interface SqliteDatabase extends SqlDatabase {
  /** Ends the snapshot: what is read from now on sees what was written until now. */
  refresh(): void
  close(): void
}
