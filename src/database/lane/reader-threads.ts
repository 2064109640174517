import { laneDialect } from '../sql/dialects/sqlite-dialect.ts'
import { type SqlReaderParts, sqlReaders } from '../sql/sql-reader.ts'
import type { Lane, LaneReads, SqlDatabase, Version } from '../sql-database.ts'
import type { ReaderThreads } from '../store.ts'

/** Reads by the threads of a lane, as prepared statements of the same shapes; what is not known in SQL is Prisma's there, too. */
export function readerThreads(lane: Lane, parts: SqlReaderParts): ReaderThreads {
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
