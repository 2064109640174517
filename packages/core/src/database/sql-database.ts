import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Session, Signature } from './session.ts'

/** A row as the driver gives it: the values of the selected columns, in their order. */
export type Stored = readonly unknown[]

/** What a driver binds. */
export type Bound = string | number | bigint | null | Uint8Array | readonly Bound[]

/** The state that a database is in. */
export type Version = number | string

/** What the transaction of a statement tells its database beside the statement. */
export interface Beginning {
  /** Which only PostgreSQL has. */
  readonly session?: Session | undefined
  /** Of a statement that writes, for the log of changes. */
  readonly signature?: Signature | undefined
}

/** A statement that its database keeps, ready to run with other values. */
export interface Statement {
  /**
   * At once where the driver is synchronous. Rows with more characters of text than that are not read to their end.
   *
   * @throws {TooMuchText}
   */
  all(values: readonly Bound[], characters?: number, beginning?: Beginning): Awaitable<readonly Stored[]>
}

/** The rows of a statement have more text than one request may bring into memory. */
export class TooMuchText extends Error {
  constructor() {
    super('The rows of a statement have too much text.')
  }
}

/** The characters of a row's texts. */
export function textIn(row: Stored): number {
  let length = 0
  for (const value of row) if (typeof value === 'string') length += value.length
  return length
}

/** Connections beside the event loop, for what would keep it from everything else. */
export interface Lane {
  /** What a read may cost that is done inside of the event loop. */
  readonly inlineCost: number
  /**
   * Does the work by a connection that reads from one snapshot until the work is done. Statements before the first long
   * one are read in the event loop, where it is worth a try.
   *
   * @throws {JsonApiError} 503 where no connection gets free in time, or a statement takes too long.
   */
  read<T>(work: (reads: LaneReads) => Promise<T>, isWorthTrying?: boolean): Promise<T>
  close(): Promise<void>
}

export interface LaneReads {
  /** Rows with more characters of text than that are not read to their end; left out, any number. */
  all(sql: string, values: readonly Bound[], characters?: number): Awaitable<readonly Stored[]>
}

/**
 * A connection of its own to the database of the Prisma clients, for reading what is committed.
 *
 * @internal
 */
export interface SqlDatabase {
  readonly provider: SqlProvider
  /** The schema of the tables for which Prisma's schema names none; null where there are no schemas. */
  readonly schema: string | null
  /** How Prisma spells the instants that it writes, and looks for; left out, in the only way that there is. */
  readonly instants?: SpellingOfInstants
  /** How a column has its instants; left out where there is only one way. */
  instantsIn?(table: TableName, column: string): StoredInstants
  /** Whether look-ups of several requests are made one query. */
  readonly batchesLookUps?: boolean
  prepare(sql: string): Statement
  /** A value that changes with each commit of another connection, and never repeats; left out without one. */
  version?(): Awaitable<Version>
  readonly writer?: SqlWriter
  /** The tables with triggers that may change a row after a statement wrote it; left out, or null, where unknown. */
  triggeredTables?(): Awaitable<ReadonlySet<string> | null>
  /**
   * The foreign keys that refuse what a look-up would not find, by `foreignKeyText`; left out, or null, where that is
   * not known. Left out as well where looking for a row costs little.
   */
  foreignKeys?(): Awaitable<ReadonlySet<string> | null>
  /** The approximate size of each table, at once; null if it is not known. Left out if the database has none. */
  sizes?(tables: readonly MeasuredTable[]): Awaitable<readonly (TableSize | null)[]>
  /** Left out where reads keep no other request waiting, because the database has processes of its own. */
  readonly lane?: Lane
}

/** Runs single statements that write, each of them a transaction of its own. */
export interface SqlWriter {
  /** The Prisma client whose database this is: with another one, writes are all its own. */
  readonly client: object
  prepare(sql: string): WriteStatement
  /**
   * Notes where the log of changes ends for the transaction that its client has just begun, and signs what comes behind
   * that; null where that has to be done by the client. Left out where triggers sign.
   */
  mark?(): ((signature: Signature) => void) | null
  /** Begins a transaction of several statements; left out where Prisma Client alone begins them. */
  begin?(): Promise<SqlTransaction>
}

/** A statement inside of a transaction. */
export interface StatementWithin extends Statement {
  /** Answers how many rows it has written, of which it gives none. */
  run(values: readonly Bound[]): Promise<number>
}

/** A serializable transaction, on a connection of its own. Once its end has begun, nothing more is done in it. */
export interface SqlTransaction {
  prepare(sql: string): StatementWithin
  /** The next transaction that Prisma Client begins in the work is this one: it neither begins nor ends there. */
  shared<T>(work: () => T): T
  commit(): Promise<void>
  /** Undoes it, unless it has ended before. A statement that still runs is not waited for. It never fails. */
  rollback(): Promise<void>
}

export interface WriteStatement {
  /** The rows of RETURNING; null where the connection is not free, and nothing was done. */
  run(values: readonly Bound[], beginning?: Beginning): Promise<readonly Stored[] | null>
}

export interface TableName {
  readonly table: string
  /** Null where there are no schemas, or the connection's own is meant. */
  readonly dbSchema: string | null
}

/** A table, with the columns that are looked at. */
export interface MeasuredTable extends TableName {
  /** Columns that an index begins with, and that have some values more than once. */
  readonly keys: readonly string[]
  /** Columns that may hold texts of any length. */
  readonly texts: readonly string[]
}

export interface TableSize {
  readonly rows: number
  /** Of each key, how many rows have its most frequent value; 0 where no value has many. */
  readonly most: readonly number[]
  /** Of each text, how many bytes one row holds in the mean. */
  readonly octets: readonly number[]
}

/** As texts of ISO 8601, or as milliseconds since 1970. */
export type SpellingOfInstants = 'iso8601' | 'unixepoch-ms'

/**
 * How a column has its instants: all as Prisma spells them, all as JavaScript does (`2026-01-01T00:00:00.000Z`), some
 * in the one and some in the other of these two ways, or mixed with any other one, so that their texts do not tell
 * which of them is earlier.
 */
export type StoredInstants = 'usual' | 'zulu' | 'both' | 'mixed'

/** The databases whose SQL is known. */
export type SqlProvider = 'sqlite' | 'postgresql'
