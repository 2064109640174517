import {
  all,
  columnOf,
  compare,
  equals,
  equalsEach,
  everything,
  nothing,
  related,
  relationOf,
} from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { OrderTerm } from '../condition/order-term.ts'
import { type Scopes, scopeOf } from '../condition/scopes.ts'
import type { CountPlan, LookUpPlan, RowsPlan } from '../database/reader.ts'
import { memo } from '../model/memo.ts'
import type { ModelMeta, Resources } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import type { FieldSets, Query } from '../query/query.ts'
import type { HasMany, ManyThrough, Relation, ToMany } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { ReadContext } from './read-context.ts'
import { allColumns, idWhere } from './resource.ts'

/** A collection as a request may see it, before it is cut into pages. */
export interface CollectionPlan {
  readonly schema: ResourceSchema
  readonly columns: readonly string[]
  readonly where: Condition
  readonly order: readonly OrderTerm[]
}

/** The columns that showing a resource of the type takes: its id, the fields asked for, the keys of its relations. */
export function shownColumns(schema: ResourceSchema, fields: FieldSets): readonly string[] {
  // Who says what the caller may do with a row looks at all of it.
  if (schema.showsCan) return allColumns(schema)
  const fieldset = fields.get(schema.type)
  return fieldset ? columnsOf(schema, fieldset) : documentColumns(schema)
}

/** The columns that documents show, and those that are needed to make them. */
export const documentColumns = memo((schema: ResourceSchema) => columnsOf(schema, null))

function columnsOf(schema: ResourceSchema, fieldset: ReadonlySet<string> | null): readonly string[] {
  const columns = new Set(schema.id.columns)
  for (const attribute of schema.attributes.values()) {
    if (attribute.writeOnly || (fieldset && !fieldset.has(attribute.name))) continue
    for (const column of attribute.reads) columns.add(column)
  }
  for (const relation of schema.relations.values()) for (const column of keyColumns(relation)) columns.add(column)
  return [...columns]
}

/** The same list where it has them all: statements are kept by it. */
export const withColumns = (columns: readonly string[], more: readonly string[]): readonly string[] =>
  more.every((column) => columns.includes(column)) ? columns : [...new Set([...columns, ...more])]

/** The columns of this side that lead to a relation's targets. */
export function keyColumns(relation: Relation): readonly string[] {
  switch (relation.kind) {
    case 'belongsTo':
      return relation.columns
    case 'hasOne':
    case 'hasMany':
      return relation.references
    case 'manyThrough':
      return relation.pivot.from.references
    case 'manyToMany':
      return []
    case 'morphTo':
      return relation.form.kind === 'columns'
        ? [relation.form.typeColumn, relation.form.idColumn]
        : relation.form.branches.flatMap((branch) => branch.columns)
    default:
      return relation satisfies never
  }
}

/** The order with the id behind it, so that it is total; in the direction of the last term, so that one index serves both. */
export function totalOrder(schema: ResourceSchema, order: readonly OrderTerm[]): readonly OrderTerm[] {
  const named = new Set(order.filter(({ path }) => path.length === 1).map(({ path }) => path[0]))
  const direction = order.at(-1)?.direction ?? 'asc'
  const rest = schema.id.columns.filter((column) => !named.has(column))
  return [...order, ...rest.map((column): OrderTerm => ({ path: [column], direction }))]
}

/** The scopes of a collection: those that see what was deleted softly where the query asks for it. */
export const scopesFor = ({ served }: ReadContext, { trashed }: Pick<Query, 'trashed'>): Scopes =>
  trashed === 'without' ? served.scopes : served.scopesById

export interface CollectionParts {
  readonly schema: ResourceSchema
  readonly query: Pick<Query, 'fields' | 'order' | 'filter' | 'trashed'>
  readonly scopes: Scopes
  /** What narrows the collection beside the filter: the parent, the schema's hook, the ability. */
  readonly where: readonly (Condition | null)[]
}

export function planCollection({ schema, query, scopes, where }: CollectionParts): CollectionPlan {
  return {
    schema,
    columns: shownColumns(schema, query.fields),
    where: all(scopeOf(scopes, schema.model.name), onlyDeleted(schema, query), ...where, query.filter),
    order: totalOrder(schema, query.order),
  }
}

// Which scopes hold is the caller's choice; `only` is what is left of those that see deleted rows.
const onlyDeleted = ({ deletedAt, model }: ResourceSchema, { trashed }: Pick<Query, 'trashed'>): Condition | null =>
  deletedAt && trashed === 'only' ? compare(columnOf(model, deletedAt), 'not', null) : null

/** All rows of a level that meet the condition, in the order of their ids unless another is given. */
export const planLevel = (
  schema: ResourceSchema,
  columns: readonly string[],
  where: Condition,
  order: readonly OrderTerm[] = orderOfIds(schema),
): RowsPlan => ({
  kind: 'rows',
  model: schema.model.name,
  columns,
  where,
  order,
  skip: 0,
  take: null,
})

/** The row that meets the condition, where there can be one; any of them, where it is asked if there is one. */
export const planRow = (schema: ResourceSchema, columns: readonly string[], where: Condition): RowsPlan => ({
  kind: 'rows',
  model: schema.model.name,
  columns,
  where,
  order: noOrder,
  skip: 0,
  take: 1,
})

/** How many rows a collection has; no more than `most` of them are counted. */
export const planCount = ({ schema, where }: Pick<CollectionPlan, 'schema' | 'where'>, most?: number): CountPlan => ({
  kind: 'count',
  model: schema.model.name,
  where,
  ...(most !== undefined && { most }),
})

/** The row that has these values, which are unique together, if it meets the condition. */
export const planLookUp = (
  schema: ResourceSchema,
  columns: readonly string[],
  { key, rest = everything }: { readonly key: Row; readonly rest?: Condition },
): LookUpPlan => ({
  kind: 'lookUp',
  model: schema.model.name,
  columns,
  key: equalsEach(schema.model, key),
  rest,
})

const orderOfIds = memo((schema: ResourceSchema) => totalOrder(schema, []))

/** Of rows that are looked up by their keys. */
export const noOrder: readonly OrderTerm[] = Object.freeze([])
export const noColumns: ReadonlySet<string> = new Set()

/** The columns with instants that are shown as they are and have no part in ids, relations and computed attributes. */
export const shownInstants = memo((schema: ResourceSchema): ReadonlySet<string> => {
  if (schema.showsCan) return noColumns
  const attributes = [...schema.attributes.values()]
  const used = new Set([
    ...schema.id.columns,
    ...[...schema.relations.values()].flatMap(keyColumns),
    ...attributes.filter(({ isConverted }) => isConverted).flatMap(({ reads }) => reads),
  ])
  const instants = attributes.filter(({ kind, isList }) => kind === 'datetime' && !isList).flatMap(({ reads }) => reads)
  return new Set(instants.filter((column) => !used.has(column)))
})

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
