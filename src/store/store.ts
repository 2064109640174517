import type { OnUnique } from './database-errors.ts'
import type { Reader } from './reader.ts'

/** A Prisma model's delegate, as far as the framework calls it. */
export interface Delegate {
  findMany(args: object): Promise<Record<string, unknown>[]>
  findFirst(args: object): Promise<Record<string, unknown> | null>
  count(args: object): Promise<number>
  groupBy(args: object): Promise<Record<string, unknown>[]>
  create(args: object): Promise<Record<string, unknown>>
  update(args: object): Promise<Record<string, unknown>>
  updateMany(args: object): Promise<{ count: number }>
  delete(args: object): Promise<Record<string, unknown>>
  deleteMany(args: object): Promise<{ count: number }>
}

/** The part of a Prisma client that works inside a transaction: a delegate for each model, by its client name (`blogPost`). */
export type Delegates = Readonly<Record<string, Delegate>>

/** A write's view of the database: its own transaction, and a reader inside of it. */
export interface Transaction {
  readonly client: Delegates
  readonly reader: Reader
  /** Work for after the commit; forgotten when there is none. */
  readonly afterCommit: (work: AfterCommit) => void
}

export type AfterCommit = () => void | Promise<void>

/** The database, as one request uses it. */
export interface Store {
  /** Reads outside of any transaction: sees committed rows only. */
  readonly reader: Reader
  /**
   * Runs the work in one transaction; a thrown error undoes all of it. It may run again when it met another write,
   * so it does nothing but read and write by the transaction it is given.
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, onUnique?: OnUnique): Promise<T>
}

/** A Prisma client that can open interactive transactions. */
export interface PrismaClientLike {
  // biome-ignore lint/suspicious/noExplicitAny: each generated client has its own transaction type
  $transaction(work: (client: any) => Promise<any>, options?: any): Promise<any>
}

/**
 * What the application hands in: one client, or one that reads and one that writes. SQLite needs the two:
 * its adapter has one connection, and what others read or write there while a transaction is open becomes part of it.
 */
export type Clients = PrismaClientLike | { readonly reader: PrismaClientLike; readonly writer: PrismaClientLike }
