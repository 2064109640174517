import type { TableName } from '@prismapi/core/database/sql-database'
import { joinTable, quotedTable } from '@prismapi/core/database/tables'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { isSecret } from '@prismapi/jsonapi/schema/secrets'

/** A table whose changes are logged. */
export interface LoggedTable {
  /** The model, or the name of a join table. */
  readonly name: string
  readonly table: string
  readonly dbSchema: string | null
  /** The columns of its key in the database; empty where it has none. */
  readonly key: readonly string[]
  /** All of its columns in the database, for what is a change. */
  readonly columns: readonly string[]
  /** What the log may show: neither hidden fields nor secrets, and nothing of a model that no server serves. */
  readonly shown: readonly ColumnMeta[]
}

/** The tables of all models but the framework's own, and the join tables of implicit many-to-many relations. */
export function loggedTables({ models }: Resources): readonly LoggedTable[] {
  const logged = Object.values(models).filter((model) => model.operations.includes('update') && !isOwn(model))
  const joins = new Map(
    logged.flatMap((model) =>
      Object.values(model.relations).flatMap((relation) => {
        const table = joinTable(model, relation, models)
        return table ? [[quotedTable(table), loggedJoin(table)] as const] : []
      }),
    ),
  )
  return [...logged.map(modelTable), ...joins.values()]
}

/** The log itself, and answers that are kept for a while. */
export const isOwn = ({ name, isHidden }: ModelMeta): boolean => isHidden === true && own.has(name)
const own: ReadonlySet<string> = new Set(['Change', 'IdempotencyKey'])

function modelTable(model: ModelMeta): LoggedTable {
  const columns = Object.values(model.columns)
  return {
    name: model.name,
    table: model.table,
    dbSchema: model.dbSchema,
    key: model.key.map((name) => (model.columns[name] as ColumnMeta).column),
    columns: columns.map(({ column }) => column),
    shown: model.isHidden ? [] : columns.filter((column) => isShown(model.name, column)),
  }
}

const isShown = (model: string, column: ColumnMeta): boolean =>
  !column.hidden && !column.writeOnly && !isSecret(model, column)

const loggedJoin = (table: TableName): LoggedTable => ({
  ...table,
  name: table.table,
  key: ['A', 'B'],
  columns: ['A', 'B'],
  shown: [],
})
