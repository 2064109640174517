import type { SqlDatabase } from './sql-database.ts'
import type { PrismaClientLike, Store } from './store.ts'

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

/** What a server with replicas has. */
export interface ReplicaStores extends Pick<Replicas, 'position' | 'lagMilliseconds'> {
  /** The store of a request that only reads, and has to see everything up to that position. */
  reading(position: bigint): Store
}
