import { type Session, sessionText } from '../session.ts'
import type { Bound, Stored } from '../sql-database.ts'
import { sqlTerms } from './clauses/sql-terms.ts'
import type { SqlContext } from './clauses/walk.ts'
import { textOfValues } from './count-cache.ts'
import { compileSql } from './dialects/dialect.ts'
import type { QueryKind } from './queries/query-kind.ts'
import { shape } from './shape.ts'

/** What a plan of one shape is asked with, and how its rows are read. */
export interface CompiledQuery<Answer> {
  readonly text: string
  /** The places of its parameters in the values of a plan. */
  readonly slots: readonly number[]
  readonly read: (rows: readonly Stored[]) => Answer
}

/** The statement for plans of this plan's shape. */
export function compileQuery<Plan, Answer>(
  kind: QueryKind<Plan, Answer>,
  plan: Plan,
  { catalog, dialect }: SqlContext,
): CompiledQuery<Answer> {
  const { sql, read } = kind.query(plan, { catalog, dialect, terms: sqlTerms(catalog, dialect), values: [] })
  return { ...compileSql(sql, dialect), read }
}

/** A text of the plan's shape, and the plan's values: two plans with one text have one statement. */
export function shapeOf<Plan>(
  kind: QueryKind<Plan, unknown>,
  plan: Plan,
  { catalog, dialect }: SqlContext,
): { readonly key: string; readonly values: readonly Bound[] } {
  const values: Bound[] = []
  return { key: kind.key(plan, { catalog, dialect, terms: shape, values }), values }
}

/** A text of the whole plan, with its values and its caller: the same for the same question, and for no other. */
export function questionText<Plan extends { readonly session?: Session }>(
  kind: QueryKind<Plan, unknown>,
  plan: Plan,
  context: SqlContext,
): string {
  const { key, values } = shapeOf(kind, plan, context)
  return `${sessionText(plan.session)}${key}\n${textOfValues(values)}`
}
