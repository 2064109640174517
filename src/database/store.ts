import type { Condition } from '../condition/condition.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import type { KeyedLock } from './keyed-lock.ts'
import type { OnBroken } from './prisma/database-errors.ts'
import type { JoinRows } from './prisma/join-rows.ts'
import type { Reader } from './reader.ts'
import type { Replicas } from './replicas.ts'
import type { Session } from './session.ts'
import type { Signature } from './signature.ts'
import type { SqlDatabase } from './sql-database.ts'
import type { StoredRow } from './stored-rows.ts'
import type { TableSizes } from './table-sizes.ts'

/**
 * A Prisma model's delegate, as far as the framework calls it.
 *
 * @internal
 */
export interface Delegate {
  findMany(args: object): Promise<Record<string, unknown>[]>
  findFirst(args: object): Promise<Record<string, unknown> | null>
  count(args: object): Promise<number>
  groupBy(args: object): Promise<Record<string, unknown>[]>
  aggregate(args: object): Promise<Record<string, unknown>>
  create(args: object): Promise<Record<string, unknown>>
  update(args: object): Promise<Record<string, unknown>>
  updateMany(args: object): Promise<{ count: number }>
  delete(args: object): Promise<Record<string, unknown>>
  deleteMany(args: object): Promise<{ count: number }>
}

/**
 * The part of a Prisma client that works inside a transaction: a delegate for each model, by its client name (`blogPost`).
 *
 * @internal
 */
export type Delegates = Readonly<Record<string, Delegate>>

/** A write's view of the database: its own transaction, and a reader inside of it. */
export interface Transaction {
  readonly client: Delegates
  readonly reader: Reader
  readonly joinRows: JoinRows
  /** Registers work for after the commit; it is dropped where the transaction fails. */
  readonly afterCommit: (work: AfterCommit) => void
  /** Does the work of a transaction that has just begun, whose changes the log of changes has with a signature. */
  readonly signed: <T>(signature: Signature, work: () => Promise<T>) => Promise<T>
}

export type AfterCommit = () => unknown

/** The database, as one request uses it. */
export interface Store {
  /** Reads outside of any transaction: sees committed rows only. */
  readonly reader: Reader
  /** Reads beside the event loop; null where reads keep no other request waiting, and inside of transactions. */
  readonly threads: ReaderThreads | null
  /** How large tables are, for the price of a request. */
  readonly tableSizes: TableSizes
  /**
   * Runs the work in one transaction; a thrown error undoes all of it. After a conflict with another write it runs again,
   * so it does nothing but read and write by the transaction it is given.
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, onBroken?: OnBroken): Promise<T>
  /** Where writes that have to run again, because another one was faster, wait for each other. */
  readonly lock: KeyedLock
  /**
   * The application's client for work after a commit: what it does is part of no transaction of a request. Given something to begin
   * with, each of its operations is a transaction that begins with that.
   */
  committed(begin?: (inside: Delegates) => unknown): unknown
  /** Whether its work is part of a transaction that has begun. */
  readonly isWithin: boolean
  /** Writes of one statement, which need no transaction around them; null where there are none. */
  readonly single: SingleStatementWriter | null
}

/** Where long reads are done, so that the process answers others meanwhile. */
export interface ReaderThreads {
  /** What a read may cost that is done in the event loop. */
  readonly inlineCost: number
  /**
   * Does the work with a reader that reads from one snapshot, beside the event loop. Where that is worth a try, statements are read in
   * the event loop before the first that takes long.
   *
   * @throws {JsonApiError} 503 where a statement takes too long, or too many requests wait.
   */
  read<T>(work: (reader: Reader) => Promise<T>, isWorthTrying?: boolean): Promise<T>
}

/**
 * Writes of one statement each. Null and false say that nothing was done: the caller uses `write` then, which knows more, and
 * says what is wrong.
 */
export interface SingleStatementWriter {
  /** Whether a statement returns a row of the model as it stays: no trigger changes it afterwards. */
  returnsRows(model: string): Awaitable<boolean>
  /** Whether the database itself refuses a row of the model whose relation leads to no row. */
  hasForeignKey(model: string, relation: string): Awaitable<boolean>
  /** Why no row is created by a statement of its own; null where it may be. */
  readonly reasonAgainstInsert: string | null
  /** The columns that are wanted back of the new row. */
  insert(plan: InsertPlan): Promise<Row | null>
  /** The columns that are wanted back of the row as it is then. */
  update(plan: UpdatePlan): Promise<Row | null>
  remove(plan: RemovePlan): Promise<boolean>
  /** Is told why a write of the model takes a transaction, before any plan is made for it. */
  decline(model: string, reason: string): void
  /** Does the work for after the commit, once there was one. */
  finish(works: readonly AfterCommit[]): Promise<void>
}

export interface InsertPlan {
  /** What the log of changes is told; left out, nothing. */
  readonly signature?: Signature
  readonly model: string
  readonly data: Row
  /** The columns of the new row that are wanted back. */
  readonly returning: readonly string[]
  /** Others of them, which are left out where one holds what it should not. */
  readonly shown?: readonly string[]
}

export interface UpdatePlan {
  /** What the transaction of the statement begins with; left out, nothing. */
  readonly session?: Session
  /** What the log of changes is told; left out, nothing. */
  readonly signature?: Signature
  readonly model: string
  readonly data: Row
  /** Which row it is, if it may be seen. */
  readonly where: Condition
  /** Columns that must still have these values. */
  readonly row: Row
  /** What they were made from, which is compared rather than what it means; left out, or null, where that is not known. */
  readonly stored?: StoredRow | null
  /** The columns that are wanted back, which are left out where one holds what it should not. */
  readonly shown?: readonly string[]
}

export type RemovePlan = Omit<UpdatePlan, 'data' | 'shown'>

/** A Prisma client that can open interactive transactions. */
export interface PrismaClientLike {
  /** Prisma's interactive transaction. Each generated client has its own type of the client within. */
  $transaction(work: never, options?: never): Promise<unknown>
}

/**
 * What the application hands in: one client, or one that reads and one that writes. SQLite needs the two:
 * its adapter has one connection, and what others read or write there while a transaction is open becomes part of it.
 * `sql` is a connection to the same database beside Prisma, for prepared statements; `replicas` are copies of it, for
 * requests that only read.
 */
export type Clients =
  | PrismaClientLike
  | {
      readonly reader: PrismaClientLike
      readonly writer: PrismaClientLike
      readonly sql?: SqlDatabase
      readonly replicas?: Replicas | undefined
      readonly guarded?: boolean
    }
