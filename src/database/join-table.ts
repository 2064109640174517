import type { ModelMeta, RelationMeta, Resources } from '../model/meta.ts'
import type { TableName } from './sql-database.ts'

/** The table of an implicit many-to-many: Prisma puts it beside that of the model whose name comes first. */
export function joinTable(
  model: ModelMeta,
  { join, model: target }: RelationMeta,
  models: Resources['models'],
): TableName | null {
  if (!join) return null
  const first = join.own === 'A' ? model : models[target]
  return { table: join.table, dbSchema: first?.dbSchema ?? null }
}
