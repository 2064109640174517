import Sqlite from 'better-sqlite3'
import type { SqlDatabase, Stored } from './database.ts'

/**
 * A read-only connection to a SQLite file, whose journal is in WAL mode: it sees what is committed and waits for nobody.
 * Its statements run to their end at once, so that none keeps a snapshot open.
 */
export function sqliteDatabase(
  file: string,
  onQuery: ((sql: string) => void) | undefined,
): SqlDatabase & { close(): void } {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true })
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck()
  return {
    provider: 'sqlite',
    schema: null,
    prepare(sql) {
      const statement = connection.prepare<unknown[], Stored>(sql).raw()
      return {
        all(values) {
          onQuery?.(sql)
          return statement.all(...values)
        },
      }
    },
    // This connection never writes, so all writes are those of others.
    version: () => version.get() as number,
    close: () => void connection.close(),
  }
}
