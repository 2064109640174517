import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { PrismaClientLike } from './store.ts'

interface SqliteClient extends PrismaClientLike {
  $queryRawUnsafe<T>(query: string): Promise<T>
  $disconnect(): Promise<void>
}

/**
 * The two Prisma clients that a SQLite file needs: the adapter has one connection, so a query beside an open
 * transaction would run inside of it, and be lost with it. The writer only ever runs transactions, which its adapter
 * queues; the reader sees what is committed, in WAL mode without ever waiting.
 *
 * @param url `file:./prisma/dev.db`, relative to the working directory
 * @throws {Error} when the file does not exist, or cannot be put into WAL mode
 *
 * @example
 * const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), 'file:./prisma/dev.db')
 */
export async function sqliteClients<Client extends SqliteClient>(
  makeClient: (adapter: PrismaBetterSqlite3) => Client,
  url: string,
): Promise<{ reader: Client; writer: Client; close(): Promise<void> }> {
  const writer = makeClient(new PrismaBetterSqlite3({ url, fileMustExist: true }))
  const [mode] = await writer.$queryRawUnsafe<{ journal_mode: string }[]>('PRAGMA journal_mode = WAL')
  if (mode?.journal_mode !== 'wal') {
    await writer.$disconnect()
    throw new Error(`${url}: the journal mode is ${mode?.journal_mode}, not wal. Use a file on a local disk.`)
  }
  const reader = makeClient(new PrismaBetterSqlite3({ url, readonly: true }))
  const close = async () => {
    await reader.$disconnect()
    await writer.$disconnect()
  }
  return { reader, writer, close }
}
