import { all, columnOf, compare, equalsEach, everything } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { OrderTerm } from '../condition/order-term.ts'
import { type Scopes, scopeOf } from '../condition/scopes.ts'
import type { CountPlan, LookUpPlan, RowsPlan } from '../database/reader.ts'
import { memo } from '../model/memo.ts'
import type { Row } from '../model/where.ts'
import type { Query } from '../query/query.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { shownColumns } from './columns.ts'
import type { ReadContext } from './read-context.ts'

/** A collection as a request may see it, before it is cut into pages. */
export interface CollectionPlan {
  readonly schema: ResourceSchema
  readonly columns: readonly string[]
  readonly where: Condition
  readonly order: readonly OrderTerm[]
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
  trashed === 'without' ? served.scopes : served.scopesWithDeleted

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
