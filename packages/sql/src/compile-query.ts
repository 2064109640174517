import { type Session, sessionText } from '@prismapi/core/database/session'
import type { Bound, SqlDatabase, SqlProvider, Stored, StoredInstants } from '@prismapi/core/database/sql-database'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ColumnMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { catalogOf } from './catalog.ts'
import { type Place, type SqlContext, shape, type Walk } from './clauses/conditions.ts'
import { type SqlSource, sqlTerms } from './clauses/sql-terms.ts'
import { compileSql, type Dialect, type Sql } from './dialects/dialect.ts'
import { postgresDialect } from './dialects/postgres-dialect.ts'
import { sqliteDialect } from './dialects/sqlite-dialect.ts'

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
  query(plan: Plan, walk: Walk<SqlSource, Sql>): Query<Answer>
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

/**
 * A text of the plan's shape, and the plan's values: two plans with one text have one statement.
 * @param parameters what other plans of the same form have with other values
 */
export function shapeOf<Plan>(
  kind: QueryKind<Plan, unknown>,
  plan: Plan,
  context: SqlContext,
  parameters: readonly unknown[] = [],
): Shape {
  const values: Bound[] = []
  const places: Place[] = []
  const instants = new Map<ColumnMeta, StoredInstants>()
  let marks = ''
  const instantsIn = (column: ColumnMeta): StoredInstants => {
    const stored = context.instantsIn(column)
    marks += markOf[stored]
    instants.set(column, stored)
    return stored
  }
  const walk = { terms: shape, values, ...context, instantsIn }
  const key = kind.key(plan, parameters.length === 0 ? walk : { ...walk, places: { parameters, found: places } })
  return { key: /[^.]/.test(marks) ? `${key}${marks}` : key, values, instants, places }
}

export interface Shape {
  readonly key: string
  readonly values: readonly Bound[]
  /** How the columns that were asked about have their instants. */
  readonly instants: ReadonlyMap<ColumnMeta, StoredInstants>
  /** Where the values of the parameters stand. */
  readonly places: readonly Place[]
}

/** Do columns have their instants as they had. */
export function hold(instants: Shape['instants'], { instantsIn }: Pick<SqlContext, 'instantsIn'>): boolean {
  for (const [column, stored] of instants) if (instantsIn(column) !== stored) return false
  return true
}

/** Columns with one of the first two have the same statements. */
const markOf: Readonly<Record<StoredInstants, string>> = { usual: '.', zulu: '.', both: '&', mixed: '~' }

/** The same for the same values, and for no others. */
export const textOfValues = (values: readonly Bound[]): string => values.map(textOf).join('\n')

const textOf = (value: Bound): string =>
  Array.isArray(value) ? `[${textOfValues(value)}\n]` : `${typeof value} ${JSON.stringify(String(value))}`

/** A text of the whole plan, with its values and its caller: the same for the same question, and for no other. */
export function questionText<Plan extends { readonly session?: Session }>(
  kind: QueryKind<Plan, unknown>,
  plan: Plan,
  context: SqlContext,
): string {
  const { key, values } = shapeOf(kind, plan, context)
  return `${sessionText(plan.session)}${key}\n${textOfValues(values)}`
}

export const dialects: Readonly<Record<SqlProvider, Dialect>> = {
  sqlite: sqliteDialect,
  postgresql: postgresDialect,
}

type ContextDatabase = Pick<SqlDatabase, 'provider' | 'schema' | 'instants' | 'instantsIn'>

/** What the statements of a database are made from. */
export function sqlContext(
  database: ContextDatabase,
  resources: Resources,
  dialect: Dialect = dialects[database.provider],
): SqlContext {
  const codecOf = dialect.codecsOf(resources.enums, database.instants)
  const catalog = catalogOf(resources, codecOf, database.schema)
  return { dialect, catalog, instantsIn: instantsBy(database, resources) }
}

/** Asks the database about its columns of instants. */
function instantsBy(
  { instantsIn }: Pick<ContextDatabase, 'instantsIn'>,
  { models }: Resources,
): SqlContext['instantsIn'] {
  if (!instantsIn) return () => 'usual'
  const tables = new Map(
    Object.values(models).flatMap((model) => Object.values(model.columns).map((column) => [column, model])),
  )
  return (column) => {
    const model = column.type === 'DateTime' && !column.isList ? tables.get(column) : undefined
    return model ? instantsIn(model, column.column) : 'usual'
  }
}

/**
 * The same for statements that change rows of a model. A write must judge the row as stored now;
 * our knowledge of spellings may be old, so we assume `mixed` for the model's own columns.
 */
export function instantsOfRows(
  database: Pick<ContextDatabase, 'instantsIn'>,
  resources: Resources,
): (model: string) => SqlContext['instantsIn'] {
  const instantsInTable = instantsBy(database, resources)
  const isInstant = ({ type, isList }: ColumnMeta) => type === 'DateTime' && !isList
  return (model) => {
    const isOwn = (column: ColumnMeta) => resources.models[model]?.columns[column.name] === column
    return (column) => (database.instantsIn && isInstant(column) && isOwn(column) ? 'mixed' : instantsInTable(column))
  }
}

/**
 * The context for one plan, which asks once how a column has its instants: another process may write meanwhile, and
 * the plan's text and its statement have to agree.
 */
export const contextForPlan = (context: SqlContext): SqlContext => ({
  ...context,
  instantsIn: memo(context.instantsIn),
})
