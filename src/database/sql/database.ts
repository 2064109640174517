import type { Awaitable } from '../../model/awaitable.ts'

/** A row as the driver gives it: the values of the selected columns, in their order. */
export type Stored = readonly unknown[]

/** What a driver binds. */
export type Bound = string | number | bigint | null | Uint8Array | readonly Bound[]

/** The state that a database is in. */
export type Version = number | string

/** A statement that its database keeps, ready to run with other values. */
export interface Statement {
  /** At once where the driver is synchronous. */
  all(values: readonly Bound[]): Awaitable<readonly Stored[]>
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
  /** Whether look-ups of several requests are made one query. */
  readonly batchesLookUps?: boolean
  prepare(sql: string): Statement
  /** A value that changes with each commit of another connection, and never comes again; left out where there is none. */
  version?(): Awaitable<Version>
  readonly writer?: SqlWriter
}

/** Runs single statements that write, each of them a transaction of its own. */
export interface SqlWriter {
  /** The Prisma client whose database this is: with another one, writes are all its own. */
  readonly client: object
  prepare(sql: string): WriteStatement
}

export interface WriteStatement {
  /** The rows of RETURNING; null where the connection is not free, and nothing was done. */
  run(values: readonly Bound[]): readonly Stored[] | null | Promise<readonly Stored[]>
}

/** The databases whose SQL is known. */
export type SqlProvider = 'sqlite' | 'postgresql'
