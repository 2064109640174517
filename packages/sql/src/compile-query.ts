import { type Session, sessionText } from '@prismapi/core/database/session'
import type { Bound, Stored, StoredInstants } from '@prismapi/core/database/sql-database'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { type SqlSide, sqlTerms } from './clauses/sql-terms.ts'
import { shape } from './clauses/terms.ts'
import type { SqlContext, Walk } from './clauses/walk.ts'
import { textOfValues } from './count-cache.ts'
import { compileSql, type Sql } from './dialects/dialect.ts'

/** A statement to be, and what its rows are read as. */
export interface Query<Answer> {
  readonly sql: Sql
  readonly read: (rows: readonly Stored[]) => Answer
}

/**
 * One kind of statement. Each method walks through a plan and collects its values: `key`
 * for a text of the plan's shape, and `query`, where that shape is new, for the SQL.
 */
export interface QueryKind<Plan, Answer> {
  key(plan: Plan, walk: Walk<string, string>): string
  query(plan: Plan, walk: Walk<SqlSide, Sql>): Query<Answer>
}

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
  context: SqlContext,
): CompiledQuery<Answer> {
  const { dialect } = context
  const { sql, read } = kind.query(plan, { ...context, terms: sqlTerms(context), values: [] })
  return { ...compileSql(sql, dialect), read }
}

/** A text of the plan's shape, and the plan's values: two plans with one text have one statement. */
export function shapeOf<Plan>(
  kind: QueryKind<Plan, unknown>,
  plan: Plan,
  context: SqlContext,
): { readonly key: string; readonly values: readonly Bound[] } {
  const values: Bound[] = []
  let marks = ''
  const instantsIn = (column: ColumnMeta): StoredInstants => {
    const stored = context.instantsIn(column)
    marks += markOf[stored]
    return stored
  }
  const key = kind.key(plan, { ...context, instantsIn, terms: shape, values })
  return { key: /[^.]/.test(marks) ? `${key}${marks}` : key, values }
}

/** Columns with one of the first two have the same statements. */
const markOf: Readonly<Record<StoredInstants, string>> = { usual: '.', zulu: '.', both: '&', mixed: '~' }

/** A text of the whole plan, with its values and its caller: the same for the same question, and for no other. */
export function questionText<Plan extends { readonly session?: Session }>(
  kind: QueryKind<Plan, unknown>,
  plan: Plan,
  context: SqlContext,
): string {
  const { key, values } = shapeOf(kind, plan, context)
  return `${sessionText(plan.session)}${key}\n${textOfValues(values)}`
}
