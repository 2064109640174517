import { asTooLarge } from '@prismapi/core/actions/actions'
import { onThread } from '@prismapi/core/actions/context'
import { checkMany, planMany } from '@prismapi/core/actions/fetch-many'
import { checkRelated, planMembers } from '@prismapi/core/actions/fetch-related'
import { loadAside } from '@prismapi/core/actions/reading'
import { checkPrice } from '@prismapi/core/price/check-price'
import { isOrdered } from '@prismapi/core/price/price'
import { pageSource } from '@prismapi/core/read/find'
import { runReadHooks } from '@prismapi/core/read/hooks'
import { type CollectionPlan, idsWhere, noOrder, shownInstants } from '@prismapi/core/read/plan'
import { type Resource, toResource } from '@prismapi/core/read/resource'
import type { ServerContext } from '@prismapi/core/server/serving'
import { all } from '@prismapi/jsonapi/condition/build'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { tooManyRows } from '@prismapi/jsonapi/document/errors'
import { othersFirst } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import { beyond, type SortKey, sortKeys, toOrder } from '@prismapi/jsonapi/pagination/ordered-list'
import type { Slice } from '@prismapi/jsonapi/pagination/paginator'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { CollectionOperation, RelationOperation } from '@prismapi/jsonapi/request/operation'
import type { ToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { type Column, columnsOf, loadedQuery } from './columns.ts'
import type { Lines } from './lines.ts'

/** A collection that can be exported: of a type, or what a to-many relation leads to. */
export type Exported =
  | (CollectionOperation & { readonly kind: 'viewAny' })
  | (RelationOperation & { readonly kind: 'viewRelated'; readonly relation: ToMany })

/** A collection as one request reads it. */
interface Reading {
  readonly ctx: ServerContext
  readonly plan: CollectionPlan
  /** By which relations are loaded. */
  readonly query: Query
}

/** So many rows are read at once, unless they are too large for that. */
const rowsAtOnce = 1000
/** Of those that are named one by one. */
const idsAtOnce = 500

/**
 * The lines of a collection. It is checked and counted before the first of them.
 *
 * @param renew the context of the same request as one that comes now: each part is read by what it may see
 * @throws {JsonApiError} as GET does; 400 where there are too many rows
 */
export async function exportRows(
  ctx: ServerContext,
  op: Exported,
  renew: () => Promise<ServerContext>,
): Promise<Lines> {
  const { plan, query } = await check(ctx, op)
  const { schema } = plan
  const subject = { include: new Map(), collections: new Map(), counts: new Set<string>(), page: nothingShown }
  const price = await checkPrice(ctx, {
    query: subject,
    plan: { ...plan, isWhole: true },
    schemas: [schema],
    parents: 0,
  })
  const { exportRows: limit } = ctx.limits
  const rows = await onThread(ctx, price, (within) => pageSource(within, plan).count(limit + 1))
  if (rows > limit) throw tooManyRows(limit)
  const first: Reading = { ctx, plan, query: loadedQuery(ctx, schema, query) }
  const columns = columnsOf(ctx, schema, query)
  const next = async (): Promise<Reading> => {
    await othersFirst()
    const now = await renew()
    return { ctx: now, plan: (await check(now, op)).plan, query: first.query }
  }
  return { name: schema.type, headings: columns, parts: () => valuesOf(columns, partsOf(first, next)) }
}

const nothingShown = { asks: { take: 0 } }

async function check(ctx: ServerContext, op: Exported): Promise<{ plan: CollectionPlan; query: Query }> {
  if (op.kind === 'viewAny') {
    const checked = await checkMany(ctx, op)
    return { plan: planMany(checked), query: checked.query }
  }
  const { relation } = op
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const { parent, query } = await checkRelated(ctx, op)
  return { plan: planMembers(ctx, parent, { relation, schema, query }), query }
}

async function* valuesOf(columns: readonly Column[], parts: AsyncIterable<readonly Resource[]>) {
  for await (const resources of parts)
    yield resources.map((resource) => columns.map((column) => column.valueOf(resource)))
}

type Parts = AsyncGenerator<readonly Resource[], void, undefined>
type Next = () => Promise<Reading>

/**
 * Where an index has the order, each part begins behind the last row of the one before. Else the order is asked for
 * once, as ids: to sort all rows again for each part would take as long as the parts are many.
 */
function partsOf(first: Reading, next: Next): Parts {
  const { plan, ctx } = first
  const { order, schema } = plan
  const keys = isOrdered(order, schema)
    ? sortKeys(order, { model: schema.model, resources: ctx.server.resources })
    : null
  return keys ? partsByKeys(first, next, keys) : partsByIds(first, next)
}

async function* partsByKeys(first: Reading, next: Next, keys: readonly SortKey[]): Parts {
  const names = keys.map(({ column }) => column)
  const { schema, columns } = first.plan
  const instants = shownInstants(schema)
  // An instant that is read to be shown is a text, which nothing is compared with.
  const isRead = names.every((name) => columns.includes(name) && !instants.has(name))
  const order = { order: toOrder(keys), ...(!isRead && { columns: names }) }
  let left = first.ctx.limits.exportRows
  let size = rowsAtOnce
  let place: readonly unknown[] | null = null
  for (let reading = first; ; reading = await next()) {
    const from: Omit<Slice, 'take'> = { ...order, ...(place && { where: beyond(keys, place) }) }
    const part = await readPart(size, (take) => read(reading, { ...from, take }))
    size = part.size
    left -= part.resources.length
    // They were counted: rows may have come since then.
    if (left < 0) throw tooManyRows(first.ctx.limits.exportRows)
    yield part.resources
    const last = part.resources.at(-1)
    if (!last || part.resources.length < size) return
    place = names.map((name) => last.row[name])
  }
}

async function* partsByIds(first: Reading, next: Next): Parts {
  const { ctx, plan } = first
  const { schema } = plan
  const { exportRows: limit } = ctx.limits
  const source = pageSource(ctx, { ...plan, columns: schema.id.columns })
  const ids = await asTooLarge(ctx, async () => source.rows({ take: limit + 1 }))
  if (ids.length > limit) throw tooManyRows(limit)
  let size = idsAtOnce
  for (let at = 0, reading = first; at < ids.length; at += size) {
    if (at > 0) reading = await next()
    const part = await readPart(size, (take) => read(only(reading, ids.slice(at, at + take)), { take }))
    size = part.size
    const byId = new Map(part.resources.map((resource) => [resource.id, resource]))
    yield ids.slice(at, at + size).flatMap((row) => byId.get(schema.id.format(row)) ?? [])
  }
}

const only = (reading: Reading, ids: readonly Row[]): Reading => {
  const { schema, columns, visibility, where } = reading.plan
  return { ...reading, plan: { schema, columns, visibility, where: all(where, idsWhere(schema, ids)), order: noOrder } }
}

interface Part {
  readonly resources: readonly Resource[]
  /** So many were asked for. */
  readonly size: number
}

/** Reads fewer rows where so many have more text, or lead to more others, than are held at once. */
async function readPart(size: number, read: (take: number) => Promise<readonly Resource[]>): Promise<Part> {
  try {
    return { resources: await read(size), size }
  } catch (error) {
    if (size === 1 || !(error instanceof JsonApiError) || !error.errors.every(({ code }) => tooMuch.has(code)))
      throw error
    return readPart(Math.ceil(size / 10), read)
  }
}

const tooMuch: ReadonlySet<string | undefined> = new Set(['too-large', 'too-many-resources'])

const read = ({ ctx, plan, query }: Reading, slice: Slice): Promise<readonly Resource[]> =>
  asTooLarge(ctx, async () =>
    onThread(ctx, { points: slice.take, searched: 0 }, async (within) => {
      const { schema } = plan
      await runReadHooks(within, schema.model.name, 'reading')
      const rows = await pageSource(within, plan).rows(slice)
      await runReadHooks(within, schema.model.name, 'read', rows)
      const resources = rows.map((row) => toResource(schema, row))
      await loadAside(within, resources, query)
      return resources
    }),
  )
