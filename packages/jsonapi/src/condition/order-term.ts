import type { Compare, Condition } from './condition.ts'

/** One key of an order: the path is one column, or to-one relations and then a column (`['author', 'name']`). */
export interface OrderTerm {
  /** Prisma's names, one at least. */
  readonly path: readonly string[]
  /** Smallest first, or largest. */
  readonly direction: 'asc' | 'desc'
  /** Where rows without a value stand, if that is not the database's own way. */
  readonly nulls?: 'first' | 'last'
  /** By how well rows meet a search, in the place of a column. */
  readonly search?: Compare
  /**
   * Which values the caller sees: all others are sorted as null. Left out where the caller sees all of them.
   *
   * @internal
   */
  readonly seen?: Seen
}

/**
 * Which values of an order term the caller sees.
 *
 * @internal
 */
export interface Seen {
  /** The value of a row is seen where this holds for the row. */
  readonly where: Condition
  /** Of the number of rows behind a relation: only rows that meet this are counted. */
  readonly counted: Condition
  /** The query parameter that asked for the order, for the error where the database cannot sort so. */
  readonly parameter: string
  readonly name: string
}
