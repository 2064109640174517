import type { Awaitable } from '../model/awaitable.ts'
import type { OrderTerm, Row, Where } from '../model/where.ts'

/**
 * One flat query: a level of the tree that a request reads. Every reader executes the same plan, with the same answer.
 * The order is total: the id is part of it.
 */
export interface LevelPlan {
  readonly model: string
  readonly columns: readonly string[]
  /**
   * Those of the columns that hold instants of which nothing is asked but to be shown: a reader may leave them the ISO
   * texts (UTC, with milliseconds) that documents show.
   */
  readonly shown?: ReadonlySet<string>
  readonly where: Where
  readonly order: readonly OrderTerm[]
  readonly skip: number
  /** Null for all rows. */
  readonly take: number | null
  /** Set when the rows are the targets of an implicit many-to-many: which parents each row belongs to is read with it. */
  readonly through: JoinPlan | null
  /** Set when one row is looked up by a column of its own: what else the `where` says. A reader may look up several at once. */
  readonly lookUp?: LookUp | null
  /** Set when the rows are the children of several parents and each has a page of its own; null otherwise. */
  readonly perParent: PerParentPlan | null
}

/** The column, which is one of the plan's, its value, and the rest of the plan's condition. */
export interface LookUp {
  readonly column: string
  readonly value: unknown
  readonly rest: Where
}

/**
 * At most `take` rows for each of the parents, in the plan's order; the plan's own `skip` and `take` are not set then.
 * The plan's `where` says nothing of the parents: the reader adds that the columns have one of these lists of values.
 * The rows of one parent come in the plan's order, and those of several may come mixed.
 */
export interface PerParentPlan {
  /** The foreign key's columns, of the rows. */
  readonly columns: readonly string[]
  /** The values of those columns, one list for each parent, without repeats and without nulls. */
  readonly parents: readonly (readonly unknown[])[]
  readonly take: number
}

/** The far side of an implicit many-to-many, seen from the target: its relation back, the parents' key and their values. */
export interface JoinPlan {
  readonly relation: string
  readonly key: string
  readonly parents: readonly unknown[]
  /** At most so many rows for each of the parents, in the plan's order; the plan's own `skip` and `take` are not set. */
  readonly take: number
}

/** A row of a plan with `through`, and keys of parents it belongs to. The same row may come again with other parents. */
export interface JoinedRow {
  readonly row: Row
  readonly parents: readonly unknown[]
}

export interface CountPlan {
  readonly model: string
  /** The columns of the model's key. */
  readonly columns: readonly string[]
  readonly where: Where
  readonly relation: string
  /** The same relation, seen from the other end. */
  readonly inverse: string
  /** Which rows at the other end are counted. */
  readonly counted: Where
}

export interface Counted {
  /** The values of the plan's columns, in their order. */
  readonly key: readonly unknown[]
  readonly count: number
}

/** Answers at once where its driver does. */
export interface Reader {
  rows(plan: LevelPlan): Awaitable<readonly Row[]>
  joined(plan: LevelPlan & { readonly through: JoinPlan }): Awaitable<readonly JoinedRow[]>
  count(model: string, where: Where): Awaitable<number>
  /** The number of rows for each combination of values of the columns; none for a combination that no row has. */
  countBy(model: string, columns: readonly string[], where: Where): Awaitable<readonly Counted[]>
  /** The number of rows behind an implicit many-to-many for each row of the model. */
  countThrough(plan: CountPlan): Awaitable<readonly Counted[]>
}
