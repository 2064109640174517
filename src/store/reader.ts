import type { OrderTerm, Row, Where } from '../model/where.ts'

/**
 * One flat query: a level of the tree that a request reads. Every reader executes the same plan, with the same answer.
 * The order is total: the id is part of it.
 */
export interface LevelPlan {
  readonly model: string
  readonly columns: readonly string[]
  readonly where: Where
  readonly order: readonly OrderTerm[]
  readonly skip: number
  /** Null for all rows. */
  readonly take: number | null
  /** Set when the rows are the targets of an implicit many-to-many: which parents each row belongs to is read with it. */
  readonly through: JoinPlan | null
}

/** The far side of an implicit many-to-many, seen from the target: its relation back, the parents' key and their values. */
export interface JoinPlan {
  readonly relation: string
  readonly key: string
  readonly parents: readonly unknown[]
}

/** A row of a plan with `through`, and the keys of the parents it belongs to. */
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
  /** Which rows at the other end are counted. */
  readonly counted: Where
}

export interface Counted {
  /** The values of the plan's columns, in their order. */
  readonly key: readonly unknown[]
  readonly count: number
}

export interface Reader {
  rows(plan: LevelPlan): Promise<readonly Row[]>
  joined(plan: LevelPlan & { readonly through: JoinPlan }): Promise<readonly JoinedRow[]>
  count(model: string, where: Where): Promise<number>
  /** The number of rows for each combination of values of the columns; none for a combination that no row has. */
  countBy(model: string, columns: readonly string[], where: Where): Promise<readonly Counted[]>
  /** The number of rows behind an implicit many-to-many for each row of the model. */
  countThrough(plan: CountPlan): Promise<readonly Counted[]>
}
