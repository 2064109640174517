import {
  all,
  among,
  columnOf,
  columnsOf,
  compare,
  equals,
  equalsEach,
  everything,
  nothing,
  related,
  relationOf,
} from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import { type BoundedCache, boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { commonQuery } from '@prismapi/jsonapi/query/collection'
import type { FieldSets, Query } from '@prismapi/jsonapi/query/query'
import { type HasMany, keyColumns, type ManyThrough, type ToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { CountPlan, LookUpPlan, RowsPlan } from '../database/reader.ts'
import type { Rows, Visibility } from './rows.ts'

// Which columns of a row are read.

export const noColumns: ReadonlySet<string> = new Set()

/** All scalar columns: what policies, rules and hooks may look at. */
export const allColumns = memo((schema: ResourceSchema): readonly string[] => Object.keys(schema.model.columns))

/** The columns to read for showing a resource of the type: its id, those of its fields, the keys of its relations. */
export function shownColumns(schema: ResourceSchema, fields: FieldSets): readonly string[] {
  // Who says what the caller may do with a row looks at all of it.
  if (schema.showsCan) return allColumns(schema)
  const fieldset = fields.get(schema.type)
  return fieldset ? columnsOfFieldset(fieldset)(schema) : documentColumns(schema)
}

// A query that is asked for again has the same fieldsets.
const columnsOfFieldset = memo((fieldset: ReadonlySet<string>) =>
  memo((schema: ResourceSchema) => columnsToShow(schema, fieldset)),
)

/** The columns that documents show, and those that are needed to make them. */
export const documentColumns = memo((schema: ResourceSchema) => columnsToShow(schema, null))

function columnsToShow(schema: ResourceSchema, fieldset: ReadonlySet<string> | null): readonly string[] {
  const columns = new Set(schema.id.columns)
  for (const attribute of schema.attributes.values()) {
    if (attribute.writeOnly || (fieldset && !fieldset.has(attribute.name))) continue
    for (const column of attribute.reads) columns.add(column)
  }
  for (const relation of schema.relations.values()) for (const column of keyColumns(relation)) columns.add(column)
  return [...columns]
}

/** The same list each time, and the one given where it has them all: statements are kept by it. */
export const withColumns = (columns: readonly string[], more: readonly string[]): readonly string[] =>
  more.every((column) => columns.includes(column))
    ? columns
    : extended(columns).get(more.join(), () => [...new Set([...columns, ...more])])

const extended = memo((_: readonly string[]): BoundedCache<readonly string[]> => boundedCache(20))

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

/** A collection before it is cut into pages. */
export interface CollectionPlan {
  readonly schema: ResourceSchema
  readonly columns: readonly string[]
  /** What its rows are read for. The condition says nothing of what the caller does not see: the wall does. */
  readonly visibility: Visibility
  readonly where: Condition
  readonly order: readonly OrderTerm[]
}

/** What pages of one collection share. Clients choose the pages, so what is kept has an end. */
export interface KeptPlans {
  /** Pages and totals that are the same each time, by what they ask. */
  readonly pages: BoundedCache<RowsPlan>
  readonly totals: BoundedCache<CountPlan>
  /** Forms of pages that lie beside a row, by what they ask but for its values. */
  readonly forms: BoundedCache<object>
}

const keptPages = 100

/** The order with the id last, so that it is total. The id has the last term's direction: one index serves both. */
export function totalOrder(schema: ResourceSchema, order: readonly OrderTerm[]): readonly OrderTerm[] {
  const named = new Set(order.filter(({ path }) => path.length === 1).map(({ path }) => path[0]))
  const direction = order.at(-1)?.direction ?? 'asc'
  const rest = schema.id.columns.filter((column) => !named.has(column))
  return [...order, ...rest.map((column): OrderTerm => ({ path: [column], direction }))]
}

/** The same, with what was deleted softly where the query asks for it. */
export const visibilityFor = (visibility: 'listed' | 'related', { trashed }: Pick<Query, 'trashed'>): Visibility =>
  trashed === 'without' ? visibility : `${visibility}WithDeleted`

export interface CollectionParts {
  readonly schema: ResourceSchema
  readonly query: Pick<Query, 'fields' | 'order' | 'filter' | 'trashed'>
  readonly visibility: 'listed' | 'related'
  /** What narrows the collection beside the filter: the parent, the schema's hook. */
  readonly where: readonly (Condition | null)[]
}

export function planCollection({ schema, query, visibility, where }: CollectionParts): CollectionPlan {
  return {
    schema,
    columns: shownColumns(schema, query.fields),
    visibility: visibilityFor(visibility, query),
    where: all(onlyDeleted(schema, query), ...where, query.filter),
    order: totalOrder(schema, query.order),
  }
}

/** The listed collection of a query that nothing but its filter narrows: the same plan for all of its pages. */
export const planListed = (query: Query, schema: ResourceSchema): CollectionPlan =>
  plansListed(commonQuery(query))(schema)

const plansListed = memo((query: Query) =>
  memo((schema: ResourceSchema): CollectionPlan => {
    const plan = planCollection({ schema, query, visibility: 'listed', where: [] })
    kept.set(plan, {
      pages: boundedCache(keptPages),
      totals: boundedCache(keptPages),
      forms: boundedCache(keptPages),
    })
    return plan
  }),
)

/** What is kept for all requests that differ in their page alone; null for a plan that is no such request's. */
export const keptOf = (plan: CollectionPlan): KeptPlans | null => kept.get(plan) ?? null

// By identity: a plan that is made from another by `{ ...plan }` shares nothing with it.
const kept = new WeakMap<CollectionPlan, KeptPlans>()

// The wall shows deleted rows beside the others; this is what `only` leaves of them.
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

/** Finds one row that meets the condition. If several do, any of them; use it where only existence matters. */
export const planRow = (schema: ResourceSchema, columns: readonly string[], where: Condition): RowsPlan => ({
  ...planLevel(schema, columns, where, noOrder),
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

interface WithRows {
  readonly server: { readonly resources: Pick<Resources, 'models'> }
  readonly rows: Pick<Rows, 'visible'>
}

interface Parent {
  readonly schema: ResourceSchema
  readonly row: Row
}

/** The condition for targets of one row's to-many relation, through pivots that the caller sees. */
export function membersOf(
  ctx: WithRows,
  relation: ToMany,
  { schema, row }: Parent,
  visibility: Visibility = 'related',
): Condition {
  const target = ctx.server.resources.models[relation.model] as ModelMeta
  if (relation.kind === 'manyToMany') return related(relationOf(target, relation.inverse), 'some', idWhere(schema, row))
  if (relation.kind === 'manyThrough') {
    const { inverse, isExclusive } = relation.pivot
    return related(relationOf(target, inverse), isExclusive ? 'is' : 'some', pivotsOf(ctx, relation, row, visibility))
  }
  return childrenOf(relation, target, row)
}

/** The condition that rows are the pivots of one row, of those that the caller sees. */
const pivotsOf = (
  { server, rows }: WithRows,
  { pivot }: ManyThrough,
  row: Row,
  visibility: Visibility = 'related',
): Condition =>
  all(
    childrenOf(pivot.from, server.resources.models[pivot.model] as ModelMeta, row),
    rows.visible(visibility, pivot.model),
  )

/** The condition for rows of the model whose foreign key names the row. If the row has no such value, none do. */
export function childrenOf(
  { columns, references }: Pick<HasMany, 'columns' | 'references'>,
  model: ModelMeta,
  row: Row,
): Condition {
  const values = references.map((column) => row[column])
  if (values.some((value) => value == null)) return nothing
  return all(...columns.map((column, i) => equals(model, column, values[i])))
}
