import { memo } from '../../model/memo.ts'
import type { ColumnMeta, Resources } from '../../model/meta.ts'
import { type Session, sessionText } from '../session.ts'
import type { Bound, SqlDatabase, Stored } from '../sql-database.ts'
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
  const isMixed = (column: ColumnMeta): boolean => {
    const answer = context.isMixed(column)
    marks += answer ? '~' : '.'
    return answer
  }
  const key = kind.key(plan, { ...context, isMixed, terms: shape, values })
  return { key: marks.includes('~') ? `${key}${marks}` : key, values }
}

/**
 * For one plan. Another process may write at any moment: what the plan's text says of a column, and what its statement does, has to be
 * the same.
 */
export const settled = (context: SqlContext): SqlContext => ({ ...context, isMixed: memo(context.isMixed) })

/** Asks the database about its columns of instants. */
export function mixedBy(
  { mixesInstants }: Pick<SqlDatabase, 'mixesInstants'>,
  { models }: Resources,
): SqlContext['isMixed'] {
  if (!mixesInstants) return () => false
  const tables = new Map(
    Object.values(models).flatMap((model) => Object.values(model.columns).map((column) => [column, model])),
  )
  return (column) => {
    const model = column.type === 'DateTime' && !column.isList ? tables.get(column) : undefined
    return model !== undefined && mixesInstants(model, column.column)
  }
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
