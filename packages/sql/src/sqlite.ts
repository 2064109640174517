import { lazyClient } from '@prismapi/core/database/prisma/client'
import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import type { PrismaClientLike } from '@prismapi/core/database/store'
import Sqlite from 'better-sqlite3'
import { checkBuild } from './databases/check-build.ts'
import { checkUrl } from './databases/check-database.ts'
import { sqliteDatabase } from './databases/sqlite-database.ts'
import { sqliteWriter } from './databases/sqlite-writer.ts'
import { openLane } from './lane/lane.ts'
import { type PrismaBetterSqlite3, SharedAdapter } from './prisma/sqlite-adapter.ts'

// While SQLite waits for the lock of another process, so does this
// one: everybody's reads. Transactions are tried again instead.
const busyMilliseconds = 10

/** A Prisma client that can be closed. */
export interface SqliteClient extends PrismaClientLike {
  /** Closes its connection. */
  $disconnect(): Promise<void>
}

/** What `sqliteClients` is told beside the client and the file. */
export interface SqliteOptions {
  /** Is told each query that goes past Prisma, as it runs. */
  readonly onQuery?: (sql: string) => void
  /**
   * The price from which on a request is read beside the event loop, by threads with connections of their
   * own, so that the process answers others meanwhile; a search in texts always is. By default 20,000.
   */
  readonly inlineCost?: number
  /**
   * Milliseconds for which a statement of such a request is tried in the event
   * loop, because a price is the most that it may cost; 0 for never. By default 2.
   */
  readonly inlineMilliseconds?: number
  /** Milliseconds that one statement may take beside the event loop; then 503 with `Retry-After`. By default 5000. */
  readonly statementMilliseconds?: number
  /**
   * How Prisma's adapter writes instants. `'unixepoch-ms'` is for databases that Prisma 6
   * and earlier filled with its own engine: milliseconds since 1970. By default `'iso8601'`.
   */
  readonly timestampFormat?: 'iso8601' | 'unixepoch-ms'
}

/**
 * The two Prisma clients that a SQLite file needs: the adapter has one connection, so a query beside
 * an open transaction would run inside of it, and be lost with it. The writer runs transactions, which
 * its adapter queues, and single statements while there is none; the reader sees what is committed, in
 * WAL mode without ever waiting, and is made when it is first used. Prepared statements, which read
 * what they know faster than Prisma can, use the writer's connection while it is free, and one of
 * their own while it is not. What takes long is read by threads beside the event loop.
 *
 * @param url `file:./prisma/dev.db`, relative to the working directory
 * @throws {Error} when the file does not exist, or cannot be put into
 * WAL mode; when better-sqlite3 would abort the process
 *
 * @example
 * import { sqliteClients } from 'prismapi/sqlite'
 * import { PrismaClient } from '../../prisma/generated/client/client.ts'
 *
 * const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), 'file:./prisma/dev.db')
 */
export async function sqliteClients<Client extends SqliteClient>(
  makeClient: (adapter: PrismaBetterSqlite3) => Client,
  url: string,
  options: SqliteOptions = {},
): Promise<{ reader: Client; writer: Client; sql: SqlDatabase; close(): Promise<void> }> {
  const { onQuery, timestampFormat = 'iso8601' } = options
  const { inlineCost = 20_000, inlineMilliseconds = 2, statementMilliseconds = 5000 } = options
  checkBuild()
  checkUrl(url, { name: 'SQLite', schemes: ['file:'] })
  const file = url.replace(/^file:/, '')
  useWal(file, url)
  const database = sqliteDatabase(file, { onQuery, writing: () => adapter.shared, instants: timestampFormat })
  const format = { timestampFormat }
  const adapter = new SharedAdapter({ url, fileMustExist: true, timeout: busyMilliseconds }, format, database.beforeUse)
  const writer = makeClient(adapter)
  await adapter.connectEarly()
  const reader = lazyClient(() => makeClient(new SharedAdapter({ url, readonly: true }, format, () => {})), writer)
  const lane = openLane({ file, inlineCost, inlineMilliseconds, statementMilliseconds, onQuery, database })
  const sql = {
    ...database,
    lane,
    writer: sqliteWriter(writer, adapter, { beforeUse: database.beforeUse, onQuery }),
  }
  const close = async () => {
    await lane.close()
    database.close()
    await reader.made()?.$disconnect()
    await writer.$disconnect()
    await adapter.close()
  }
  return { reader: reader.client, writer, sql, close }
}

// Not through a client, whose query compiler would be started for it: it costs half a second and much memory.
function useWal(file: string, url: string): void {
  const connection = openExisting(file, url)
  try {
    const mode = connection.pragma('journal_mode = WAL', { simple: true })
    if (mode !== 'wal') throw new Error(`${url}: the journal mode is ${mode}, not wal. Use a file on a local disk.`)
  } finally {
    connection.close()
  }
}

function openExisting(file: string, url: string): Sqlite.Database {
  try {
    return new Sqlite(file, { fileMustExist: true })
  } catch (cause) {
    // A TypeError where there is no such folder.
    if (!(cause instanceof TypeError) && (cause as { code?: string }).code !== 'SQLITE_CANTOPEN') throw cause
    throw new Error(`${url}: this database does not exist. Run "npx prisma migrate deploy".`, { cause })
  }
}
