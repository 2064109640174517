import type { SqlDatabase, SqlProvider } from '@prismapi/core/database/sql-database'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ColumnMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { catalogOf } from './catalog.ts'
import type { SqlContext } from './clauses/walk.ts'
import type { Dialect } from './dialects/dialect.ts'
import { postgresDialect } from './dialects/postgres-dialect.ts'
import { sqliteDialect } from './dialects/sqlite-dialect.ts'

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
 * The same for statements that change rows of a model. What is known of a large
 * table may be older than a row, which the statement has to judge as it is.
 */
export function instantsOfRows(
  database: Pick<ContextDatabase, 'instantsIn'>,
  resources: Resources,
): (model: string) => SqlContext['instantsIn'] {
  const asFound = instantsBy(database, resources)
  const isInstant = ({ type, isList }: ColumnMeta) => type === 'DateTime' && !isList
  return (model) => {
    const isOwn = (column: ColumnMeta) => resources.models[model]?.columns[column.name] === column
    return (column) => (database.instantsIn && isInstant(column) && isOwn(column) ? 'mixed' : asFound(column))
  }
}

/**
 * For one plan. Another process may write at any moment: what the plan's
 * text says of a column, and what its statement does, has to be the same.
 */
export const settled = (context: SqlContext): SqlContext => ({ ...context, instantsIn: memo(context.instantsIn) })
