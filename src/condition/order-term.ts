import type { Condition } from './condition.ts'

/** One key of an order: the path is one column, or to-one relations and then a column (`['author', 'name']`). */
export interface OrderTerm {
  /** Prisma's names, one at least. */
  readonly path: readonly string[]
  /** Smallest first, or largest. */
  readonly direction: 'asc' | 'desc'
  /** Where rows without a value stand, if that is not the database's own way. */
  readonly nulls?: 'first' | 'last'
  /**
   * The value counts as null in rows for which the condition does not hold, and a number is one of some rows only.
   *
   * @internal
   */
  readonly seen?: Seen
}

/**
 * Of which rows a value is seen.
 *
 * @internal
 */
export interface Seen {
  /** About the rows that are ordered. */
  readonly where: Condition
  /** Of a number of rows: which of them count. */
  readonly counted: Condition
  /** What the client asked by, for the error where the database cannot be asked so. */
  readonly parameter: string
  readonly name: string
}
