import type { RelationMeta } from '../../model/meta.ts'
import type { TableName } from '../sql-database.ts'
import type { Catalog } from './catalog.ts'

/** The columns of one table that name rows of another. */
export interface ForeignKey {
  readonly from: TableName
  readonly to: TableName
  readonly pairs: readonly (readonly [own: string, other: string])[]
}

/** The same text for the same foreign key, in whatever order its columns are named. */
export const foreignKeyText = ({ from, to, pairs }: ForeignKey): string =>
  JSON.stringify([from.dbSchema, from.table, to.dbSchema, to.table, pairs.map((pair) => JSON.stringify(pair)).sort()])

/** The text of the foreign key that a relation has, if the database enforces one. */
export function foreignKeyOf(catalog: Catalog, model: string, relation: string): string {
  const from = catalog.model(model)
  const { target, pairs } = catalog.joinOf(from.relations[relation] as RelationMeta)
  const placeOf = ({ table, dbSchema }: TableName) => ({ table, dbSchema: dbSchema ?? catalog.schema })
  return foreignKeyText({
    from: placeOf(from),
    to: placeOf(target),
    pairs: pairs.map(([own, other]) => [own.column, other.column]),
  })
}
