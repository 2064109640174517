import type { ModelName, RowOf, WhereOf } from './register.ts'

/** Which rows `find`, `list` and `count` look at beside what the scopes hide. */
export interface VisibleOptions {
  /**
   * Only rows that the policy's rules allow the caller this action on:
   * `view`, `update`. Left out, policies are not asked.
   *
   * @throws {Error} where a method of the policy decides on the action: no query can be made of it.
   */
  readonly may?: string
}

/** What `list` is told beside the condition. */
export interface ListOptions extends VisibleOptions {
  /** So many rows at most; by default all of them. */
  readonly take?: number
}

/**
 * Rows of any model that the server serves, as the caller may see them: the scopes of the serving phase hold, and
 * nothing of them has to be repeated. The condition is a Prisma `where`; behind a relation it meets every row.
 */
export interface VisibleRows {
  /** The row with that id, as documents write it; null when it is absent or hidden. */
  find<N extends ModelName>(model: N, id: string | number, options?: VisibleOptions): Promise<RowOf<N> | null>
  /** The rows that meet the condition, in the order of their ids. */
  list<N extends ModelName>(model: N, where?: WhereOf<N>, options?: ListOptions): Promise<RowOf<N>[]>
  /** How many rows meet the condition. */
  count<N extends ModelName>(model: N, where?: WhereOf<N>, options?: VisibleOptions): Promise<number>
}
