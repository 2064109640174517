import type { Fallback } from '../request/telemetry.ts'
import { runAfterCommit } from './around/after-commit.ts'
import { tracedDatabase } from './around/traced-queries.ts'
import { readerThreads } from './lane/reader-threads.ts'
import { isExtended } from './prisma/lazy-client.ts'
import { countCache } from './sql/count-cache.ts'
import { Positions } from './sql/positions.ts'
import { singleStatementWriter } from './sql/single-statement-writer.ts'
import { sqlReader } from './sql/sql-reader.ts'
import type { Stored } from './sql-database.ts'
import type { AfterCommit, Store } from './store.ts'
import { prismaStores, type Stores, type StoresParts } from './stores.ts'
import { tableSizesOf } from './table-sizes.ts'

/** Prepared statements read, and write single rows. Transactions, and what is read inside of them, are always Prisma's. */
export function sqlStores(parts: StoresParts): Stores {
  const { clients, resources, onLateFailure, onFallback, onUnsized = () => {}, characters, telemetry = null } = parts
  const stores = prismaStores(parts)
  const { prisma } = stores
  // Prepared statements would skip what an extension makes of queries and their results.
  if (!('writer' in clients) || !clients.sql || isExtended(clients.reader)) return stores
  const { sql, writer } = clients
  const database = telemetry ? tracedDatabase(sql, telemetry) : sql
  if (database.provider !== resources.provider) return stores
  const tell = (kind: Fallback['kind']) => (model: string, reason: string) => onFallback({ kind, model, reason })
  const finish = (late: readonly AfterCommit[]) => runAfterCommit(late, onLateFailure)
  const isShared = database.writer?.client === writer && !isExtended(writer)
  const single =
    database.writer && isShared
      ? {
          ...singleStatementWriter({ database, writer: database.writer, resources, onTransaction: tell('write') }),
          finish,
        }
      : null
  const readerParts = {
    database,
    resources,
    prisma: prisma.reader,
    onUnknown: tell('read'),
    totals: countCache<readonly Stored[]>(),
    positions: new Positions(),
    ...(characters !== undefined && { characters }),
  }
  const reader = sqlReader(readerParts)
  const threads = database.lane ? readerThreads(database.lane, readerParts) : null
  const tableSizes = tableSizesOf(database, resources, onUnsized)
  const sized: Store = {
    ...prisma,
    tableSizes,
    async write(work, onBroken) {
      // Inside of the transaction nobody asks for them.
      await tableSizes.first()
      return prisma.write(work, onBroken)
    },
  }
  return { auto: { ...sized, reader, threads, single }, prisma: sized }
}
