import { all, everything, isEverything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { conditionForm } from '@prismapi/jsonapi/condition/form'
import { parseCondition } from '@prismapi/jsonapi/condition/parse'
import { notFound } from '@prismapi/jsonapi/document/errors'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import { type Awaitable, after, inTurns } from '@prismapi/jsonapi/model/awaitable'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { VisibleOptions, VisibleRows } from '@prismapi/jsonapi/model/visible-rows'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type OrderedList, orderedList } from '@prismapi/jsonapi/pagination/ordered-list'
import type { PageSource, Slice } from '@prismapi/jsonapi/pagination/paginator'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import {
  type CountPlan,
  keysToAskAgain,
  type LookUpPlan,
  type Reader,
  type RowsPlan,
  share,
} from '../database/reader.ts'
import { hasReadHook } from './hooks.ts'
import {
  allColumns,
  type CollectionPlan,
  idsWhere,
  keptOf,
  noColumns,
  noOrder,
  planCount,
  planLevel,
  planLookUp,
  shownInstants,
} from './plan.ts'
import type { ReadContext } from './read-context.ts'
import type { Rows } from './rows.ts'

/**
 * The row that a URL names, with all its scalar columns, as far as the caller sees it.
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
  const plan = planFind(schema, id)
  return plan && ctx.rows.read('named', plan)
}

/** The rows of these ids that exist and are not hidden, by their ids. */
export async function findEach(
  ctx: ReadContext,
  schema: ResourceSchema,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const keys = ids.map((id) => schema.id.parse(id)).filter((key) => key !== null)
  if (keys.length === 0) return new Map()
  const plan = planLevel(schema, allColumns(schema), idsWhere(schema, keys))
  const rows = await ctx.rows.read('named', { ...plan, take: keys.length })
  return new Map(rows.map((row) => [schema.id.format(row), row]))
}

/** The row that a URL names, to be changed. The reader keeps its stored values, so the write sees if they changed. */
export function findToChange(ctx: ReadContext, schema: ResourceSchema, id: string): Awaitable<Row> {
  const plan = planFind(schema, id)
  if (!plan) return found(null)
  const stored = { ...plan, keepsStored: true }
  return found(ctx.rows.read('named', share(stored, { form: formsOf(schema).toChange, parameters: plan.key })))
}

function planFind(schema: ResourceSchema, id: string): LookUpPlan | null {
  const key = schema.id.parse(id)
  if (!key) return null
  const plan = planLookUp(schema, allColumns(schema), { key })
  return share(plan, { form: formsOf(schema).shown, parameters: plan.key })
}

/** Of plans that look a row up by its id alone. */
const formsOf = memo((_: ResourceSchema) => ({ shown: {}, toChange: {} }))

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

  readonly rows = (slice: Slice): Awaitable<readonly Row[]> =>
    this.ctx.rows.read(this.plan.visibility, this.pageOf(slice))

  private pageOf(slice: Slice): RowsPlan {
    const { schema } = this.plan
    const kept = keptOf(this.plan)
    const beside = slice.where
      ? parseCondition(slice.where, schema.model, this.ctx.server.resources.models)
      : everything
    const asked = kept ? this.askedBy(slice) : null
    if (!kept || asked === null) return this.sliceOf(slice, beside)
    if (beside === everything) return kept.pages.get(asked, () => share(this.sliceOf(slice, beside)))
    const formed = conditionForm(beside)
    const plan = this.sliceOf(slice, beside)
    if (formed === null) return plan
    return share(plan, {
      form: kept.forms.get(`${asked} ${formed.text}`, () => ({})),
      parameters: formed.comparisons,
    })
  }

  /** What a slice asks beside its condition; null where that has no text. */
  private askedBy({ skip = 0, take, order = [], columns = [] }: Slice): string | null {
    if (order.some(({ seen, search }) => seen || search)) return null
    const terms = order.map(({ path, direction, nulls = '' }) => `${direction}${nulls} ${path.join('.')}`)
    const isShown = columns.length === 0 && shownBy(this.ctx, this.plan) !== noColumns
    return `${skip} ${take} ${isShown} ${terms.join()} ${columns.join()}`
  }

  private sliceOf(slice: Slice, beside: Condition): RowsPlan {
    const { schema, columns, where, order } = this.plan
    return {
      shown: slice.columns ? noColumns : shownBy(this.ctx, this.plan),
      ...planLevel(schema, columns, where, order),
      columns: slice.columns ? [...new Set([...columns, ...slice.columns])] : columns,
      where: all(where, beside),
      order: slice.order ?? order,
      skip: slice.skip ?? 0,
      take: slice.take,
    }
  }

  readonly count = (most?: number): Awaitable<number> => this.ctx.rows.read(this.plan.visibility, this.countOf(most))

  private countOf(most?: number): CountPlan {
    const plan = () => planCount(this.plan, most)
    return keptOf(this.plan)?.totals.get(String(most), () => share(plan())) ?? plan()
  }

  readonly find = (id: string): Awaitable<Row | null> => {
    const { schema, visibility, where } = this.plan
    if (isEverything(where)) {
      const plan = planFind(schema, id)
      return plan && this.ctx.rows.read(visibility, plan)
    }
    const key = schema.id.parse(id)
    if (!key) return null
    return this.ctx.rows.read(visibility, planLookUp(schema, allColumns(schema), { key, rest: where }))
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
    name: `${[server.name, ...Object.values(server.params).map(encodeURIComponent)].join('/')}/${schema.type}`,
  })

/** The whole collection, where it is not paginated. */
export const readAll = (ctx: ReadContext, plan: CollectionPlan): Awaitable<readonly Row[]> =>
  ctx.rows.read(plan.visibility, {
    ...planLevel(plan.schema, plan.columns, plan.where, plan.order),
    shown: shownBy(ctx, plan),
    // One more tells that it is too much for a document.
    take: ctx.limits.resources + 1,
  })

/** The columns that only the document looks at: an application's hook would see them as Prisma gives them. */
const shownBy = (ctx: ReadContext, { schema }: Pick<CollectionPlan, 'schema'>): ReadonlySet<string> =>
  hasReadHook(ctx, schema.model.name) ? noColumns : shownInstants(schema)

/** What rows are looked for with. */
export type VisibleContext = Pick<ReadContext, 'allowedRows'> & {
  readonly server: Pick<ReadContext['server'], 'resources' | 'schemas'>
}

/** Looks for rows inside of a transaction, or outside of any. */
export function visibleRows(ctx: VisibleContext, rows: () => Rows): VisibleRows {
  const { schemas, resources } = ctx.server
  const conditionOf = (call: string, model: string, where: object, { may }: VisibleOptions): Condition =>
    all(given(call, model, where, resources.models), may === undefined ? null : ctx.allowedRows(model, may))
  return {
    async find(model, id, options = {}) {
      const schema = schemaOf(schemas, model)
      const key = schema.id.parse(String(id))
      if (!key) return null
      const rest = conditionOf('find', model, {}, options)
      return (await rows().read('named', planLookUp(schema, allColumns(schema), { key, rest }))) as never
    },
    async list(model, where, options = {}) {
      const schema = schemaOf(schemas, model)
      const condition = conditionOf('list', model, where ?? {}, options)
      const plan = { ...planLevel(schema, allColumns(schema), condition), take: options.take ?? null }
      return [...(await rows().read('related', plan))] as never
    },
    async count(model, where, options = {}) {
      schemaOf(schemas, model)
      return rows().read('related', { kind: 'count', model, where: conditionOf('count', model, where ?? {}, options) })
    },
  }
}

/** @throws {Error} for a part that says nothing: Prisma would drop it, and the condition would hold for every row. */
function given(
  call: string,
  model: string,
  where: object,
  models: ReadContext['server']['resources']['models'],
): Condition {
  const meta = models[model]
  if (!meta || Object.keys(where as Row).length === 0) return everything
  try {
    return parseCondition(where, meta, models)
  } catch (error) {
    throw new Error(`${call}('${model}'): ${(error as Error).message}`, { cause: error })
  }
}

// SQLite binds a limited number of values; a query with more would be split by Prisma, and lose its order and its sums.
const chunkSize = 500

/** A list in parts that are short enough for one query each, which names each value so many times. */
export const chunked = <T>(values: readonly T[], times = 1): readonly (readonly T[])[] =>
  inParts(values, Math.max(1, Math.floor(chunkSize / times)))

/** A list in parts of that many values. */
export function inParts<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: T[][] = []
  for (let i = 0; i < values.length; i += size) chunks.push(values.slice(i, i + size))
  return chunks
}

interface NamedRows {
  /** Rows with the columns of their ids. */
  readonly keys: readonly Row[]
  readonly columns: readonly string[]
  /** What else has to hold. */
  readonly where?: Condition
}

/** The existing rows of a list of ids, in no order. A long list is read in parts: other requests have a turn. */
export async function readNamedRows(
  reader: Reader,
  schema: ResourceSchema,
  { keys, columns, where = everything }: NamedRows,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const some of inTurns(chunked(keys, schema.id.columns.length)))
    rows.push(...(await reader.read(planLevel(schema, columns, all(idsWhere(schema, some), where), noOrder))))
  return rows
}

/**
 * The rows that a document's identifiers name and that the caller sees. They are loaded when they are first asked for,
 * once per request, by one query for five hundred rows of a type. A policy's lazy relation, validation and the write
 * share them.
 */
export interface RelatedRows {
  /** In the order of the identifiers; null for one that does not exist, is hidden, or has a type that is not served. */
  find(identifiers: readonly Identifier[]): Promise<readonly (Row | null)[]>
  /** The same for rows that a write links. A scope may hide them before the write, so the write judges them again. */
  findNamed(identifiers: readonly Identifier[]): Promise<readonly (Row | null)[]>
  /** Leaves it to a foreign key of the database whether there is such a row. */
  leave(identifier: Identifier, key: Row): void
  /** What a row of this side is pointed at: the row, or its key where that is left to a foreign key. */
  target(identifier: Identifier): Promise<Row | null>
}

export function relatedRows(ctx: ReadContext): RelatedRows {
  const known = new Map<string, RowsOfType>()
  const left = new Map<string, Row>()
  const keyOf = ({ type, id }: Identifier): string => `${type}:${id}`
  const { schemas } = ctx.server
  const isScoped = ({ type }: Identifier) => ctx.rows.hides('related', schemas.byType.get(type)?.model.name ?? '')
  const ofType = (type: string): RowsOfType => {
    const rows = known.get(type) ?? { asked: new Set(), found: new Map(), loading: null }
    known.set(type, rows)
    return rows
  }
  const rows: RelatedRows = {
    leave: (identifier, key) => void left.set(keyOf(identifier), key),
    async target(identifier) {
      return left.get(keyOf(identifier)) ?? (await rows.find([identifier]))[0] ?? null
    },
    findNamed(identifiers) {
      if (identifiers.some(isScoped)) ctx.preparation.hasReadOthers = true
      return rows.find(identifiers)
    },
    async find(identifiers) {
      const found: (Row | null)[] = []
      for await (const some of inTurns(inParts(identifiers, identifiersAtOnce)))
        for (const row of await findSome(some)) found.push(row)
      return found
    },
  }
  const findSome = async (identifiers: readonly Identifier[]): Promise<readonly (Row | null)[]> => {
    const fresh = new Map<string, string[]>()
    for (const { type, id } of identifiers) {
      const ids = fresh.get(type) ?? []
      if (ids.length === 0) fresh.set(type, ids)
      const { asked } = ofType(type)
      if (asked.has(id)) continue
      asked.add(id)
      ids.push(id)
    }
    for (const [type, ids] of fresh) {
      const of = ofType(type)
      if (ids.length > 0) of.loading = Promise.all([of.loading, load(ctx, type, { ids, found: of.found })])
    }
    await Promise.all([...fresh.keys()].map((type) => ofType(type).loading))
    return identifiers.map(({ type, id }) => known.get(type)?.found.get(id) ?? null)
  }
  return rows
}

/** To look so many up among those that are known takes a few milliseconds. */
const identifiersAtOnce = 5000

/** What is known of the rows of a type, by the ids that documents have: there is no promise for each of them. */
interface RowsOfType {
  readonly asked: Set<string>
  readonly found: Map<string, Row>
  /** Callers wait for the queries of all, and see their failures. */
  loading: Promise<unknown> | null
}

interface Loading {
  readonly ids: readonly string[]
  readonly found: Map<string, Row>
}

async function load(ctx: ReadContext, type: string, { ids, found }: Loading): Promise<void> {
  const schema = ctx.server.schemas.byType.get(type)
  if (!schema) return
  const columns = allColumns(schema)
  for await (const some of inTurns(chunked(ids, schema.id.columns.length))) {
    const keys = some.map((id) => schema.id.parse(id)).filter((key) => key !== null)
    if (keys.length === 0) continue
    const rows = new Map<string, Row>()
    for (const row of await readNamedRows(ctx.rows.reading('related'), schema, { keys, columns }))
      rows.set(schema.id.format(row), row)
    for (const id of keysToAskAgain(keys.map(schema.id.format), rows)) {
      const key = schema.id.parse(id) as Row
      const [row] = await readNamedRows(ctx.rows.reading('related'), schema, { keys: [key], columns })
      if (row) rows.set(id, row)
    }
    for (const [id, row] of rows) found.set(id, row)
  }
}
