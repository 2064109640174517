import { isExtended, prismaJoinRows, prismaWriter } from '@prismapi/core/database/prisma/client'
import type { TransactionalClient } from '@prismapi/core/database/prisma/committed-client'
import { prismaReader } from '@prismapi/core/database/prisma/prisma-reader'
import { type Carry, limitsOf } from '@prismapi/core/database/prisma/prisma-store'
import { signedWork } from '@prismapi/core/database/prisma/sessions'
import { type Ask, isGuarded } from '@prismapi/core/database/session'
import type { Lane, LaneReads, SqlDatabase, SqlWriter, Stored, Version } from '@prismapi/core/database/sql-database'
import type { ReaderThreads, Store } from '@prismapi/core/database/store'
import { prismaStores, type Stores, type StoresParts, storeOf } from '@prismapi/core/database/stores'
import { tableSizesOf } from '@prismapi/core/database/tables'
import { tracedDatabase, tracedReader } from '@prismapi/core/database/traced-queries'
import type { Fallback } from '@prismapi/jsonapi/request/telemetry'
import { laneDialect } from './dialects/sqlite-dialect.ts'
import { Positions } from './page-readers.ts'
import { carryBy } from './prisma/carry.ts'
import { versionedCache } from './queries/count-queries.ts'
import { singleStatementWriter } from './single-statement-writer.ts'
import { hasViews, type SqlReaderParts, sqlReader, sqlReaders } from './sql-reader.ts'
import { joinRowsIn, rowWriterIn, WritingStatements } from './transactions/statements.ts'

/**
 * Prepared statements read, inside of transactions as well, and write single rows. What they do not know is Prisma's.
 */
export function sqlStores(parts: StoresParts): Stores {
  const { clients, resources, onFallback, onUnsized = () => {}, characters, telemetry = null } = parts
  const stores = prismaStores(parts)
  const { prisma } = stores
  // Prepared statements would skip what an extension makes of queries and their results.
  if (!('writer' in clients) || !clients.sql || isExtended(clients.reader)) return stores
  const { sql, writer } = clients
  const database = telemetry ? tracedDatabase(sql, telemetry) : sql
  if (database.provider !== resources.provider) return stores
  const tell = (kind: Fallback['kind']) => (model: string, reason: string) => onFallback({ kind, model, reason })
  const own = database.writer?.client === writer && !isExtended(writer) ? database.writer : null
  const single = own && singleStatementWriter({ database, writer: own, resources, onTransaction: tell('write') })
  const readerParts = {
    database,
    resources,
    prisma: prisma.reader,
    onUnknown: tell('read'),
    totals: versionedCache<readonly Stored[]>(),
    positions: new Positions(),
    ...(characters !== undefined && { characters }),
  }
  const reader = sqlReader(readerParts)
  const threads = database.lane ? readerThreads(database.lane, readerParts) : null
  const tableSizes = tableSizesOf(database, resources, onUnsized)
  const sized = (store: Store): Store => ({
    ...prisma,
    tableSizes,
    async write(work, onBroken) {
      // Inside of the transaction nobody asks for them.
      await tableSizes.first()
      return store.write(work, onBroken)
    },
  })
  const carry = own && carryWith(own, { ...parts, readerParts })
  const transactional = carry ? sized(storeOf(parts, carry)) : sized(prisma)
  // A guarded database shows each caller rows of their own.
  const version = hasViews(resources) || isGuarded(clients) ? undefined : database.version
  return {
    auto: { ...transactional, reader, threads, single, ...(version && { version: () => version.call(database) }) },
    prisma: sized(prisma),
  }
}

function carryWith(writer: SqlWriter, parts: StoresParts & { readonly readerParts: SqlReaderParts }): Carry | null {
  const { resources, transactions, onFallback, telemetry = null, readerParts } = parts
  const { begin, client } = writer
  if (!begin) return null
  const { provider, models } = resources
  const { database } = readerParts
  const readers = sqlReaders(readerParts)
  const tell = (model: string, reason: string) => onFallback({ kind: 'transaction', model, reason })
  const statements = new WritingStatements({ database, resources, onUnknown: tell })
  const rowWriter = rowWriterIn(statements, resources)
  const joinRows = joinRowsIn(statements)
  return carryBy({
    begin,
    writer: client as TransactionalClient,
    limits: limitsOf(resources, transactions),
    insideOf(inside, transaction) {
      const ask: Ask = async (sql, values) => transaction.prepare(sql).all(values)
      const prepare = (text: string) => transaction.prepare(text)
      const { schema, batchesLookUps = false } = database
      const byPrisma = prismaReader(inside, models)
      const fallback = telemetry ? tracedReader(byPrisma, telemetry, provider) : byPrisma
      const reader = readers({ provider: database.provider, schema, batchesLookUps, prepare }, fallback)
      return {
        client: inside,
        reader,
        writer: rowWriter(statements.in({ prepare }), prismaWriter(inside)),
        joinRows: joinRows(statements.in({ prepare }), prismaJoinRows({ client: inside, reader }, resources)),
        ask,
        signed: (signature, work) => signedWork({ ask, provider, writer }, signature, work),
      }
    },
  })
}

/**
 * Reads by the threads of a lane, as prepared statements of the same
 * shapes; what is not known in SQL is Prisma's there, too.
 */
function readerThreads(lane: Lane, parts: SqlReaderParts): ReaderThreads {
  const readerOf = sqlReaders({ ...parts, dialect: laneDialect })
  return {
    inlineCost: lane.inlineCost,
    async read(work, isWorthTrying) {
      // Older than the snapshot, which begins with the first statement: a total is never taken for newer than it is.
      const version = await parts.database.version?.()
      return lane.read((reads) => work(readerOf(databaseOf(reads, parts, version))), isWorthTrying)
    },
  }
}

const databaseOf = (
  reads: LaneReads,
  { database: { provider, schema } }: SqlReaderParts,
  version: Version | undefined,
): SqlDatabase => ({
  provider,
  schema,
  prepare: (sql) => ({ all: (values, characters) => reads.all(sql, values, characters) }),
  ...(version !== undefined && { version: () => version }),
})
