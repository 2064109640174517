import { joinTable } from '../database/join-table.ts'
import type { TableSizes } from '../database/table-sizes.ts'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '../model/meta.ts'

/** What prices are made of: how many rows there are, and how long their texts may be. */
export interface Sizes {
  readonly models: Resources['models']
  rows(model: ModelMeta): number
  /** How many rows a to-many relation leads to from one of its own. */
  fanOut(model: ModelMeta, relation: RelationMeta): number
  /** The rows that have one value of the foreign key, or of another column with an index. */
  rowsOf(model: ModelMeta, column: ColumnMeta): number
  /** How many characters the column may hold. */
  characters(model: ModelMeta, column: ColumnMeta): number
}

export type Characters = Sizes['characters']

/** Of a table with few rows, one row may lead to all the others. */
const leastFanOut = 2
/** An index that is no key narrows a table down by so much. */
const indexed = 100

export function sizesOf(tableSizes: TableSizes, models: Resources['models'], characters: Characters): Sizes {
  const rows = (model: ModelMeta) => tableSizes.rows(model)
  const ratio = (many: number, one: number) => Math.max(leastFanOut, many / one)
  return {
    models,
    characters,
    rows,
    fanOut(model, relation) {
      const join = joinTable(model, relation, models)
      const target = models[relation.model] as ModelMeta
      return ratio(join ? tableSizes.rows(join) : rows(target), rows(model))
    },
    rowsOf(model, column) {
      const relation = Object.values(model.relations).find(({ foreignKey }) => foreignKey?.columns[0] === column.name)
      const target = relation && models[relation.model]
      return target ? ratio(rows(model), rows(target)) : rows(model) / indexed
    },
  }
}
