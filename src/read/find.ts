import { all } from '../condition/build.ts'
import { readCondition } from '../condition/parse.ts'
import { scopeOf } from '../condition/scopes.ts'
import type { LookUpPlan } from '../database/reader.ts'
import { notFound } from '../document/errors.ts'
import { type Awaitable, after } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import { type OrderedList, orderedList } from '../pagination/ordered-list.ts'
import type { PageSource, Slice } from '../pagination/paginator.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { allColumns, noColumns, shownInstants } from './columns.ts'
import { hasReadHook } from './hooks.ts'
import { type CollectionPlan, planCount, planLevel, planLookUp } from './plan.ts'
import type { ReadContext } from './read-context.ts'
import { idsWhere } from './row-conditions.ts'

/**
 * The row that a URL names, with all its scalar columns, seen through the scopes.
 * @throws {JsonApiError} 404 when it is absent or hidden: the two cannot be told apart.
 */
export const findOrFail = (ctx: ReadContext, schema: ResourceSchema, id: string): Awaitable<Row> =>
  found(find(ctx, schema, id))

const found = (read: Awaitable<Row | null>): Awaitable<Row> =>
  after(read, (row) => {
    if (!row) throw notFound()
    return row
  })

export function find(ctx: ReadContext, schema: ResourceSchema, id: string): Awaitable<Row | null> {
  const plan = planFind(ctx, schema, id)
  return plan && ctx.store.reader.read(plan)
}

/** Those of many ids at once that are there and not hidden, by their ids. */
export async function findEach(
  ctx: ReadContext,
  schema: ResourceSchema,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const keys = ids.map((id) => schema.id.parse(id)).filter((key) => key !== null)
  if (keys.length === 0) return new Map()
  const where = all(scopeOf(ctx.served.scopesById, schema.model.name), idsWhere(schema, keys))
  const rows = await ctx.store.reader.read({ ...planLevel(schema, allColumns(schema), where), take: keys.length })
  return new Map(rows.map((row) => [schema.id.format(row), row]))
}

/** The same for a row that is about to be changed, if it is still the same by then. */
export function findToChange(ctx: ReadContext, schema: ResourceSchema, id: string): Awaitable<Row> {
  const plan = planFind(ctx, schema, id)
  return found(plan && ctx.store.reader.read({ ...plan, keepsStored: true }))
}

function planFind(ctx: ReadContext, schema: ResourceSchema, id: string): LookUpPlan | null {
  const key = schema.id.parse(id)
  const rest = scopeOf(ctx.served.scopesById, schema.model.name)
  return key && planLookUp(schema, allColumns(schema), { key, rest })
}

/** A planned collection, as a paginator asks it. */
export const pageSource = (ctx: ReadContext, plan: CollectionPlan): PageSource => new PlannedSource(ctx, plan)

// A class, as all that has a getter: CONTRIBUTING.md says why.
class PlannedSource implements PageSource {
  readonly order: PageSource['order']
  readonly idColumns: readonly string[]
  private readonly ctx: ReadContext
  private readonly plan: CollectionPlan
  private known: OrderedList | null = null

  constructor(ctx: ReadContext, plan: CollectionPlan) {
    this.order = plan.order
    this.idColumns = plan.schema.id.columns
    this.ctx = ctx
    this.plan = plan
  }

  /** Only some pages speak of it, and they do so for each row. */
  get list(): OrderedList {
    this.known ??= listOf(this.ctx, this.plan)
    return this.known
  }

  // Paginators take it apart.
  readonly idOf = (row: Row): string => this.plan.schema.id.format(row)

  readonly rows = (slice: Slice): Awaitable<readonly Row[]> => {
    const { schema, columns, where, order } = this.plan
    return this.ctx.store.reader.read({
      ...planLevel(schema, columns, where, order),
      columns: slice.columns ? [...new Set([...columns, ...slice.columns])] : columns,
      shown: slice.columns ? noColumns : shownBy(this.ctx, this.plan),
      where: all(where, slice.where && readCondition(slice.where, schema.model, this.ctx.server.resources.models)),
      order: slice.order ?? order,
      skip: slice.skip ?? 0,
      take: slice.take,
    })
  }

  readonly count = (most?: number): Awaitable<number> => this.ctx.store.reader.read(planCount(this.plan, most))

  readonly find = (id: string): Awaitable<Row | null> => {
    const { schema, where } = this.plan
    const key = schema.id.parse(id)
    if (!key) return null
    return this.ctx.store.reader.read(planLookUp(schema, allColumns(schema), { key, rest: where }))
  }
}

/** A collection's order, as the cursors of its pages speak of it. */
export const listOf = (
  { server }: ReadContext,
  { schema, order }: Pick<CollectionPlan, 'schema' | 'order'>,
): OrderedList =>
  orderedList(order, {
    model: schema.model,
    resources: server.resources,
    cursorSeal: server.cursorSeal,
    name: `${server.name}/${schema.type}`,
  })

/** The whole collection, where it is not paginated. */
export const readAll = (ctx: ReadContext, plan: CollectionPlan): Awaitable<readonly Row[]> =>
  ctx.store.reader.read({
    ...planLevel(plan.schema, plan.columns, plan.where, plan.order),
    shown: shownBy(ctx, plan),
    // One more tells that it is too much for a document.
    take: ctx.limits.resources + 1,
  })

/** The columns that only the document looks at: an application's hook would see them as Prisma gives them. */
const shownBy = (ctx: ReadContext, { schema }: Pick<CollectionPlan, 'schema'>): ReadonlySet<string> =>
  hasReadHook(ctx, schema.model.name) ? noColumns : shownInstants(schema)
