import { all, among, columnsOf, equals, nothing, related, relationOf } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { type Scopes, scopeOf } from '../condition/scopes.ts'
import type { ModelMeta, Resources } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import type { HasMany, ManyThrough, ToMany } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'

// Conditions that name rows: by their ids, or by the row that they are related to.

/** The condition that names one row. */
export const idWhere = ({ id, model }: ResourceSchema, row: Row): Condition =>
  all(...id.columns.map((column) => equals(model, column, row[column])))

/** The condition that names any of the rows. */
export const idsWhere = ({ id, model }: ResourceSchema, rows: readonly Row[]): Condition =>
  among(
    columnsOf(model, id.columns),
    rows.map((row) => id.columns.map((column) => row[column])),
  )

/** What conditions on rows of other models are made from. */
export interface Seen {
  readonly models: Resources['models']
  readonly scopes: Scopes
}

interface WithScopes {
  readonly server: { readonly resources: Pick<Resources, 'models'> }
  readonly served: { readonly scopes: Scopes }
}

/** What a request sees, but for rows that are named by their ids. */
export const seenBy = ({ server, served }: WithScopes, scopes = served.scopes): Seen => ({
  models: server.resources.models,
  scopes,
})

/** The condition that rows are the targets of one row's to-many relation. */
export function membersOf(relation: ToMany, schema: ResourceSchema, row: Row, seen: Seen): Condition {
  const target = seen.models[relation.model] as ModelMeta
  if (relation.kind === 'manyToMany') return related(relationOf(target, relation.inverse), 'some', idWhere(schema, row))
  if (relation.kind === 'manyThrough') {
    const { inverse, isExclusive } = relation.pivot
    return related(relationOf(target, inverse), isExclusive ? 'is' : 'some', pivotsOf(relation, row, seen))
  }
  return childrenOf(relation, target, row)
}

/** The condition that rows are the pivots of one row, of those that may be seen. */
export const pivotsOf = ({ pivot }: ManyThrough, row: Row, { models, scopes }: Seen): Condition =>
  all(childrenOf(pivot.from, models[pivot.model] as ModelMeta, row), scopeOf(scopes, pivot.model))

/** The condition that rows of the model hold a foreign key that names the row. Without a value to name it by, none does. */
export function childrenOf(
  { columns, references }: Pick<HasMany, 'columns' | 'references'>,
  model: ModelMeta,
  row: Row,
): Condition {
  const values = references.map((column) => row[column])
  if (values.some((value) => value == null)) return nothing
  return all(...columns.map((column, i) => equals(model, column, values[i])))
}
