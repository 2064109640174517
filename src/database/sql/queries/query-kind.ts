import type { Stored } from '../../sql-database.ts'
import type { SqlSide } from '../clauses/sql-terms.ts'
import type { Walk } from '../clauses/walk.ts'
import type { Sql } from '../dialects/dialect.ts'

/** A statement to be, and what its rows are read as. */
export interface Query<Answer> {
  readonly sql: Sql
  readonly read: (rows: readonly Stored[]) => Answer
}

/**
 * One kind of statement. Each method walks through a plan and collects its values: `key` for a text of the plan's shape, and
 * `query`, where that shape is new, for the SQL.
 */
export interface QueryKind<Plan, Answer> {
  key(plan: Plan, walk: Walk<string, string>): string
  query(plan: Plan, walk: Walk<SqlSide, Sql>): Query<Answer>
}
