import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { KeyedLock } from './attempts.ts'
import type { JoinRows } from './prisma/client.ts'
import type { OnBroken } from './prisma/database-errors.ts'
import type { Reader, StoredRow } from './reader.ts'
import type { Ask, Session, Signature } from './session.ts'
import type { SqlDatabase, Version } from './sql-database.ts'
import type { TableSizes } from './tables.ts'

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
 * The part of a Prisma client that works inside a transaction: a delegate for each model, by its client name
 * (`blogPost`).
 *
 * @internal
 */
export type Delegates = Readonly<Record<string, Delegate>>

/** A write's view of the database: its own transaction. */
export interface Transaction {
  readonly client: Delegates
  /** The same client, to which a database that guards its rows shows all of them, and which it lets write them. */
  readonly asSystem: () => Delegates
  /** Does work of the framework's own, as its role in a database that guards its rows. */
  readonly asFramework: <T>(work: (writer: RowWriter) => Promise<T>) => Promise<T>
  readonly writer: RowWriter
  readonly joinRows: JoinRows
  readonly ask: Ask
  /** Registers work for after the commit; it is dropped where the transaction fails. */
  readonly afterCommit: (work: AfterCommit) => void
  /** Runs the work, and records its caller, the signature, in the change log. */
  readonly signed: <T>(signature: Signature, work: () => Promise<T>) => Promise<T>
  /** The signature set so far; left out, none. */
  readonly signature?: Signature
}

/** A transaction with a reader inside of it. */
export interface ReadingTransaction extends Transaction {
  readonly reader: Reader
  /** What it is for another session; left out where its database is told of none. A read is of its plan's session. */
  readonly inSession?: (session: Session) => InSession
}

/** What a transaction has for each session. */
export type InSession = Pick<
  ReadingTransaction,
  'client' | 'asSystem' | 'asFramework' | 'writer' | 'joinRows' | 'ask' | 'reader' | 'inSession'
>

/**
 * Work for after a commit.
 *
 * @internal
 */
export type AfterCommit = () => unknown

/**
 * The database, as one request uses it.
 *
 * @internal
 */
export interface Store {
  /** Reads outside of any transaction: sees committed rows only. */
  readonly reader: Reader
  /** Reads beside the event loop; null where reads keep no other request waiting, and inside of transactions. */
  readonly threads: ReaderThreads | null
  /**
   * The state that the database is in: another one after each commit, whoever makes it. It is older than whatever is
   * read afterwards. Left out where the database does not say it, or where it does not tell what a request would read.
   */
  readonly version?: () => Awaitable<Version>
  /** How large tables are, for the price of a request. */
  readonly tableSizes: TableSizes
  /**
   * Runs the work in one transaction; a thrown error undoes all of it. After a conflict with another write it runs
   * again, so it does nothing but read and write by the transaction it is given.
   */
  write<T>(work: (transaction: ReadingTransaction) => Promise<T>, onBroken?: OnBroken): Promise<T>
  /** Where writes that have to run again, because another one was faster, wait for each other. */
  readonly lock: KeyedLock
  /**
   * The application's client for work after a commit: what it does is part of no transaction of a request. Given
   * something to begin with, each of its operations is a transaction that begins with that.
   */
  committed(begin?: (inside: Delegates) => unknown): unknown
  /** Whether its work is part of a transaction that has begun. */
  readonly isWithin: boolean
  /** Runs hooks of a write that has no transaction; left out, they are run as they are. */
  outside?<T>(work: () => T): T
  /** Writes of one statement, which need no transaction around them; null where there are none. */
  readonly single: SingleStatementWriter | null
}

/** Where long reads are done, so that the process answers others meanwhile. */
export interface ReaderThreads {
  /** What a read may cost that is done in the event loop. */
  readonly inlineCost: number
  /**
   * Does the work with a reader that reads from one snapshot, beside the event loop. Where that is worth a try,
   * statements are read in the event loop before the first that takes long.
   *
   * @throws {JsonApiError} 503 where a statement takes too long, or too many requests wait.
   */
  read<T>(work: (reader: Reader) => Promise<T>, isWorthTrying?: boolean): Promise<T>
}

/**
 * Writes of one statement each. Null and false say that nothing was done: the caller uses `write` then, which knows
 * more, and says what is wrong.
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
}

export interface InsertPlan {
  /** What the log of changes is told; left out, nothing. */
  readonly signature?: Signature
  readonly model: string
  readonly data: Row
  /** The columns of the new row that are wanted back. */
  readonly returning: readonly string[]
  /**
   * The columns that the answer shows. The row comes back without them where a value of one is none that its type can
   * have.
   */
  readonly shown?: readonly string[]
}

export interface UpdatePlan {
  /** What the transaction of the statement begins with; left out, nothing. */
  readonly session?: Session
  /** What the log of changes is told; left out, nothing. */
  readonly signature?: Signature
  readonly model: string
  readonly data: Row
  /** A column that counts one more; left out, none does. */
  readonly increment?: string
  /** Which row it is, if it may be seen. */
  readonly where: Condition
  /** The values that the row had when it was read: the statement changes no other row. Empty where it was not read. */
  readonly row: Row
  /** The same values as the database stores them. Where they are known, these are compared. */
  readonly stored?: StoredRow | null
  /** The columns that are wanted back, which are left out where one holds what it should not. */
  readonly shown?: readonly string[]
}

export type RemovePlan = Omit<UpdatePlan, 'data' | 'increment' | 'shown'>

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

/** A copy of the database that can be read and is a little behind. */
export interface Replica {
  readonly reader: PrismaClientLike
  readonly sql: SqlDatabase
}

/**
 * The copies of a database, and how far each of them is. A position is a point of the database's log, as a number.
 *
 * @internal
 */
export interface Replicas {
  readonly all: readonly Replica[]
  /** One that has everything up to the position, by turns; null where none does, and the primary is to be read. */
  choose(position: bigint): Replica | null
  /** It did not answer: it is not chosen before it has answered again. */
  suspect(replica: Replica): void
  /** Everything that has been committed so far lies before it. Rejects where the primary does not answer. */
  position(): Promise<bigint>
  /** How far the copies that are chosen are behind, at most. */
  readonly lagMilliseconds: number
}

/**
 * What a server with replicas has.
 *
 * @internal
 */
export interface ReplicaStores extends Pick<Replicas, 'position' | 'lagMilliseconds'> {
  /** The store of a request that only reads, and has to see everything up to that position. */
  reading(position: bigint): Store
}

/**
 * Does the work for after a commit. The write succeeded: what fails behind it is told to the application, not to the
 * client.
 */
export async function runAfterCommit(
  works: readonly AfterCommit[],
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (const work of works) {
    try {
      await work()
    } catch (error) {
      onFailure(error)
    }
  }
}

/** Writes rows of any model in a transaction. Values may be those that only Prisma knows, as hooks return them. */
export interface RowWriter {
  /**
   * Creates a row; answers with the columns that are wanted back.
   *
   * @throws {JsonApiError} 409 where the database has dropped the new row in silence.
   */
  insert(row: NewRow): Promise<Row>
  /** Sets columns of the rows that meet the condition, and says how many there were. */
  update(change: RowsChange): Promise<number>
  /** Removes the rows that meet the condition, and says how many there were. */
  remove(removal: RowsRemoval): Promise<number>
}

export interface NewRow {
  readonly model: ModelMeta
  readonly data: Row
  readonly returning: readonly string[]
}

export interface RowsChange {
  readonly model: ModelMeta
  readonly where: Condition
  readonly data: Row
  /** A column that counts one more; left out, none does. */
  readonly increment?: string
}

export interface RowsRemoval {
  readonly model: ModelMeta
  readonly where: Condition
  /** No more than so many of them; left out, all. */
  readonly most?: number
}
