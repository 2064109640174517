import { type Awaitable, after } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { PageSource } from '@prismapi/jsonapi/pagination/paginator'
import { checkGroupQuery, type GroupQuery } from '@prismapi/jsonapi/query/groups'
import { hookRequest } from '@prismapi/jsonapi/request/hook-context'
import type { CollectionOperation } from '@prismapi/jsonapi/request/operation'
import { authorize } from '../auth/authorize.ts'
import type { Group, Groups } from '../database/reader.ts'
import { checkPrice } from '../price/check-price.ts'
import type { Price } from '../price/price.ts'
import { runReadHooks } from '../read/hooks.ts'
import { type CollectionPlan, planCollection } from '../read/plan.ts'
import type { Visibility } from '../read/rows.ts'
import { keyOf, planGroups, spelledGroups, statsOf } from '../read/statistics.ts'
import { groupsDocument } from '../serialize/documents.ts'
import { statsUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { checkQueryRules } from '../validation/run/query-rules.ts'
import { type ActionResult, ok, onThread, type RequestContext } from './context.ts'

/** Figures of groups of the rows that a collection lists, decided and narrowed as the collection is. */
export async function fetchStats(ctx: RequestContext, op: CollectionOperation): Promise<ActionResult> {
  const { schema } = op
  const checked = await checkStats(ctx, op)
  const { query, plan, price } = checked
  const page = await onThread(ctx, price, async (within) => {
    await runReadHooks(within, schema.model.name, 'reading')
    const source = new GroupSource(within, plan.visibility, planGroups(within, plan, query))
    // Pages by number ask for rows and how many there are, and for nothing else.
    const read = await query.page.read(source as Partial<PageSource> as PageSource)
    return { ...read, rows: await spelledGroups(within, query.keys, read.rows as readonly (Row & Group)[]) }
  })
  const groups = page.rows.map((row) => groupOf(ctx, query, row))
  return ok(groupsDocument(ctx, groups, { query, url: statsUrl(ctx, schema.type), page }))
}

/** Groups that a request may be answered with. */
interface CheckedStats {
  readonly query: GroupQuery
  readonly plan: Pick<CollectionPlan, 'schema' | 'visibility' | 'where'>
  readonly price: Price
}

/** @throws {JsonApiError} 403 where the caller may not list the type; 400 where its query is wrong, or too dear */
export async function checkStats(ctx: RequestContext, op: CollectionOperation): Promise<CheckedStats> {
  const { schema } = op
  await authorize(ctx, op, { request: makeReadRequest(ctx, op), row: null, value: null })
  const query = checkGroupQuery(ctx, schema, checkQueryRules(ctx, op) ?? undefined)
  const shown = { fields: new Map(), order: [], filter: query.filter, trashed: query.trashed }
  const listed = [schema.hooks.indexQuery(hookRequest(ctx))]
  const { visibility, where } = planCollection({ schema, query: shown, visibility: 'listed', where: listed })
  const priced = { include: new Map(), collections: new Map(), counts: new Set<string>(), page: query.page }
  const plan = { schema, visibility, where, order: [], isWhole: true, grouped: pointsOfKeys(query) }
  const price = await checkPrice(ctx, { query: priced, plan, schemas: [schema], parents: 0 })
  return { query, plan, price }
}

/** Groups as documents show them, and how many there are in all: a slice of them, by one statement. */
export function readGroups(
  ctx: RequestContext,
  { query, plan, price }: CheckedStats,
  slice: { readonly skip: number; readonly take: number },
) {
  return onThread(ctx, price, async (within) => {
    await runReadHooks(within, plan.schema.model.name, 'reading')
    const { groups, total } = await within.rows.read(plan.visibility, { ...planGroups(within, plan, query), ...slice })
    const spelled = await spelledGroups(within, query.keys, groups)
    return { groups: spelled.map((group) => groupOf(ctx, query, group)), total }
  })
}

/** Rows are sorted by each key, and a part of an instant is a text that is made of it first. */
const pointsOfKeys = ({ keys }: GroupQuery): number =>
  keys.reduce((points, { kind }) => points + (kind === 'instant' ? 2 : 1), 0)

const groupOf = (ctx: RequestContext, { keys, figures }: GroupQuery, group: Group) => ({
  key: keyOf(keys, group, ctx.server.schemas),
  stats: statsOf(figures, group.figures, ctx.server.resources.provider),
})

/** Groups, as the pages by number ask for rows: one statement answers with a page and says how many there are. */
class GroupSource implements Pick<PageSource, 'rows' | 'count'> {
  private readonly ctx: RequestContext
  private readonly visibility: Visibility
  private readonly plan: ReturnType<typeof planGroups>
  private read: Awaitable<Groups> | null = null
  private skipped = 0

  constructor(ctx: RequestContext, visibility: Visibility, plan: ReturnType<typeof planGroups>) {
    this.ctx = ctx
    this.visibility = visibility
    this.plan = plan
  }

  rows({ skip = 0, take }: { readonly skip?: number; readonly take: number }): Awaitable<readonly Row[]> {
    this.skipped = skip
    this.read = this.ask(skip, take)
    return after(this.read, ({ groups }) => groups as readonly unknown[] as readonly Row[])
  }

  // The total comes with the rows. A page past the end has none, so ask once more.
  count(): Awaitable<number> {
    return after(this.read ?? this.ask(0, 1), ({ groups, total }) =>
      groups.length > 0 || this.skipped === 0 ? total : after(this.ask(0, 1), (first) => first.total),
    )
  }

  private ask(skip: number, take: number): Awaitable<Groups> {
    return this.ctx.rows.read(this.visibility, { ...this.plan, skip, take })
  }
}
