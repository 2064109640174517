import type { Resources } from '../model/meta.ts'
import type { Fallback, Telemetry } from '../request/telemetry.ts'
import { runAfterCommit } from './around/after-commit.ts'
import { tracedDatabase } from './around/traced-queries.ts'
import { readerThreads } from './lane/reader-threads.ts'
import { isExtended } from './prisma/lazy-client.ts'
import { prismaStore, type TransactionLimits } from './prisma/prisma-store.ts'
import { countCache } from './sql/count-cache.ts'
import type { Stored } from './sql/database.ts'
import { Positions } from './sql/positions.ts'
import { singleStatementWriter } from './sql/single-statement-writer.ts'
import { sqlReader } from './sql/sql-reader.ts'
import type { AfterCommit, Clients, Store } from './store.ts'
import { tableSizesOf } from './table-sizes.ts'

/** What executes the reads of a server: prepared statements where they are known, else Prisma; or Prisma alone. */
export type Reads = 'auto' | 'prisma'

export interface StoresParts {
  readonly clients: Clients
  readonly resources: Resources
  /** Is told what failed after a commit. */
  readonly onLateFailure: (error: unknown) => void
  /** Is told of reads and writes that statements would not do. */
  readonly onFallback: (fallback: Fallback) => void
  /** The function that is told why the database does not say how large its tables are; left out, none is. */
  readonly onUnsized?: (error: unknown) => void
  readonly transactions?: TransactionLimits | undefined
  /** How many characters of text one statement may bring into memory; left out, any number. */
  readonly characters?: number
  /** Is told of queries. */
  readonly telemetry?: Telemetry | null
}

/** The store that each kind of server uses. Transactions, and what is read inside of them, are always Prisma's. */
export function openStores({
  clients,
  resources,
  onLateFailure,
  onFallback,
  onUnsized = () => {},
  transactions,
  characters,
  telemetry = null,
}: StoresParts): Readonly<Record<Reads, Store>> {
  const prisma = prismaStore(clients, onLateFailure, { ...transactions, resources, telemetry })
  // Prepared statements would skip what an extension makes of queries and their results.
  if (!('writer' in clients) || !clients.sql || isExtended(clients.reader)) return { auto: prisma, prisma }
  const { sql, writer } = clients
  const database = telemetry ? tracedDatabase(sql, telemetry) : sql
  if (database.provider !== resources.provider) return { auto: prisma, prisma }
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
  const parts = {
    database,
    resources,
    prisma: prisma.reader,
    onUnknown: tell('read'),
    totals: countCache<readonly Stored[]>(),
    positions: new Positions(),
    ...(characters !== undefined && { characters }),
  }
  const reader = sqlReader(parts)
  const threads = database.lane ? readerThreads(database.lane, parts) : null
  const tableSizes = tableSizesOf(database, resources, onUnsized)
  return { auto: { ...prisma, reader, threads, tableSizes, single }, prisma: { ...prisma, tableSizes } }
}
