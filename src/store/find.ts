import { notFound } from '../document/errors.ts'
import { every, type Row, scopeOf } from '../model/where.ts'
import { type OrderedList, orderedList } from '../pagination/ordered-list.ts'
import type { PageSource } from '../pagination/paginator.ts'
import type { RequestContext } from '../request/context.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { type CollectionPlan, planLevel } from './plan.ts'
import { allColumns } from './resource.ts'

/**
 * The row that a URL names, with all its scalar columns, seen through the scopes.
 * @throws {JsonApiError} 404 when it is absent or hidden: the two cannot be told apart.
 */
export async function findOrFail(ctx: RequestContext, schema: ResourceSchema, id: string): Promise<Row> {
  const row = await find(ctx, schema, id)
  if (!row) throw notFound()
  return row
}

export async function find(ctx: RequestContext, schema: ResourceSchema, id: string): Promise<Row | null> {
  const key = schema.id.parse(id)
  if (!key) return null
  const where = every(key, scopeOf(ctx.served.scopesById, schema.model.name))
  const [row] = await ctx.store.reader.rows({ ...planLevel(schema, allColumns(schema), where), order: [], take: 1 })
  return row ?? null
}

/** A planned collection, as a paginator asks it. */
export function pageSource(ctx: RequestContext, plan: CollectionPlan): PageSource {
  const { schema, columns, where, order } = plan
  const { reader } = ctx.store
  const level = { ...planLevel(schema, columns, where), order }
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
        where: every(where, slice.where),
        order: slice.order ?? order,
        skip: slice.skip ?? 0,
        take: slice.take,
      }),
    count: () => reader.count(schema.model.name, where),
    async find(id) {
      const key = schema.id.parse(id)
      if (!key) return null
      const [row] = await reader.rows({
        ...level,
        columns: allColumns(schema),
        where: every(key, where),
        order: [],
        take: 1,
      })
      return row ?? null
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
export const readAll = (ctx: RequestContext, plan: CollectionPlan): Promise<readonly Row[]> =>
  ctx.store.reader.rows({ ...planLevel(plan.schema, plan.columns, plan.where), order: plan.order })
