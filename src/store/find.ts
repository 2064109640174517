import { notFound } from '../document/errors.ts'
import { type Awaitable, after } from '../model/awaitable.ts'
import { every, type Row, scopeOf } from '../model/where.ts'
import { type OrderedList, orderedList } from '../pagination/ordered-list.ts'
import type { PageSource } from '../pagination/paginator.ts'
import type { RequestContext } from '../request/context.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { hasReadHook } from './hooks.ts'
import { type CollectionPlan, noColumns, planLevel, planRow, shownInstants } from './plan.ts'
import { allColumns } from './resource.ts'

/**
 * The row that a URL names, with all its scalar columns, seen through the scopes.
 * @throws {JsonApiError} 404 when it is absent or hidden: the two cannot be told apart.
 */
export const findOrFail = (ctx: RequestContext, schema: ResourceSchema, id: string): Awaitable<Row> =>
  after(find(ctx, schema, id), (row) => {
    if (!row) throw notFound()
    return row
  })

export function find(ctx: RequestContext, schema: ResourceSchema, id: string): Awaitable<Row | null> {
  const key = schema.id.parse(id)
  if (!key) return null
  const where = every(key, scopeOf(ctx.served.scopesById, schema.model.name))
  return after(ctx.store.reader.rows(planRow(schema, allColumns(schema), where)), first)
}

const first = ([row]: readonly Row[]): Row | null => row ?? null

/** A planned collection, as a paginator asks it. */
export function pageSource(ctx: RequestContext, plan: CollectionPlan): PageSource {
  const { schema, columns, where, order } = plan
  const { reader } = ctx.store
  const level = planLevel(schema, columns, where, order)
  const shown = shownBy(ctx, plan)
  let list: OrderedList | null = null
  return {
    order,
    // Only some pages speak of it, and they do so for each row.
    get list() {
      list ??= listOf(ctx, plan)
      return list
    },
    idColumns: schema.id.columns,
    idOf: (row) => schema.id.format(row),
    rows: (slice) =>
      reader.rows({
        ...level,
        columns: slice.columns ? [...new Set([...columns, ...slice.columns])] : columns,
        shown: slice.columns ? noColumns : shown,
        where: every(where, slice.where),
        order: slice.order ?? order,
        skip: slice.skip ?? 0,
        take: slice.take,
      }),
    count: () => reader.count(schema.model.name, where),
    find(id) {
      const key = schema.id.parse(id)
      if (!key) return null
      return after(reader.rows(planRow(schema, allColumns(schema), every(key, where))), first)
    },
  }
}

/** A collection's order, as the cursors of its pages speak of it. */
export const listOf = (
  { server }: RequestContext,
  { schema, order }: Pick<CollectionPlan, 'schema' | 'order'>,
): OrderedList =>
  orderedList(order, {
    model: schema.model,
    resources: server.resources,
    cursorSeal: server.cursorSeal,
    name: `${server.name}/${schema.type}`,
  })

/** The whole collection, where it is not paginated. */
export const readAll = (ctx: RequestContext, plan: CollectionPlan): Awaitable<readonly Row[]> =>
  ctx.store.reader.rows({
    ...planLevel(plan.schema, plan.columns, plan.where, plan.order),
    shown: shownBy(ctx, plan),
  })

/** The columns that nobody looks at but the document: an application's hook would see them as Prisma gives them. */
const shownBy = (ctx: RequestContext, { schema }: Pick<CollectionPlan, 'schema'>): ReadonlySet<string> =>
  hasReadHook(ctx, schema.model.name) ? noColumns : shownInstants(schema)
