import {
  type JoinedPlan,
  type JoinedRow,
  keepStored,
  type Level,
  ofParents,
  type PerParentPlan,
  type RowsPlan,
} from '@prismapi/core/database/reader'
import type { Bound, Stored } from '@prismapi/core/database/sql-database'
import { all } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { sql } from 'kysely'
import type { Catalog, RelationJoin } from '../catalog.ts'
import { conditionOf, listSlot, onlySlot, type SqlContext, type Walk } from '../clauses/conditions.ts'
import {
  firstOfEach,
  limitOf,
  limitShape,
  mostOf,
  type OrderPart,
  orderKeys,
  orderParts,
  orderShape,
  orderSql,
  partsShape,
  sliced,
} from '../clauses/order-and-limit.ts'
import {
  allJoins,
  asOrdered,
  columnSql,
  endable,
  orderedOf,
  rootSource,
  type SqlSource,
  tableOf,
} from '../clauses/sql-terms.ts'
import type { QueryKind } from '../compile-query.ts'
import { isText, NotInSql } from '../dialects/codec.ts'
import { type Sql, slot } from '../dialects/dialect.ts'
import { columnsShape, rowReader, selected, valueReader } from './columns.ts'
import { isWorthKeys, sortedByKeys } from './sorted-by-keys.ts'

/** A row's place in a list, and the values, as they are stored, that the list is ordered by. */
export interface Position {
  readonly skip: number
  readonly values: readonly Bound[]
}

/** A slice, with what is known of where its rows are found. Prisma reads the same rows without it. */
export interface SlicePlan extends RowsPlan {
  /** A row at the beginning of the slice, or before it. The order is of columns without nulls, in one direction. */
  readonly from?: Position
  /** True for every row from `from` (or the list's start) to the end of the slice. */
  readonly within?: Condition
}

/** The rows of a level, or a slice of them. */
export const rowsQuery = sliceQuery((walk) => walk)

/**
 * The same, by the texts of instants, as an index has them: where
 * these are in two spellings, equal ones come by their spelling.
 */
export const rowsByTextQuery = sliceQuery((walk, { order: [first], model }) => {
  const [name, ...steps] = first?.path ?? []
  const column = name === undefined || steps.length > 0 ? undefined : walk.catalog.model(model).columns[name]
  return { ...walk, instantsIn: (each) => (each === column ? 'usual' : walk.instantsIn(each)) }
})

/** A slice that was read by the texts of instants. */
export interface SliceByText {
  readonly rows: readonly Row[]
  /** The texts at its edges whose instants may go on beyond them, in their other spelling. */
  readonly edges: readonly string[]
}

/** So many rows beside a slice are looked at. */
const beside = 2

/** The number of rows of the statement for a slice of so many. */
export const withThoseBeside = (take: number): number => take + 2 * beside

/**
 * A slice in the order of time, read by texts, which an index has in order: null where an instant in two spellings is
 * in the slice. Its first column of order is one with instants, and is read.
 */
export const sliceByTextQuery: QueryKind<SlicePlan, SliceByText | null> = {
  key: (plan, walk) => `${rowsByTextQuery.key(widened(plan), walk)}#${beforeOf(plan)} ${plan.take}`,
  query(plan, walk) {
    const { sql, read } = rowsByTextQuery.query(widened(plan), walk)
    const at = plan.columns.indexOf(plan.order[0]?.path[0] as string)
    const isDescending = plan.order[0]?.direction === 'desc'
    const [from, end] = [beforeOf(plan), beforeOf(plan) + (plan.take as number)]
    const readSlice = (rows: readonly Stored[]): SliceByText | null => {
      const texts = rows.map((row) => row[at])
      if (texts.some((text, i) => areOneInstant(text, texts[i - 1]))) return null
      // `+00:00` comes before `Z`.
      const before = from > 0 && texts[0] === texts[from] ? edge(texts[0], isDescending) : []
      const behind = texts[end + beside - 1] === texts[end - 1] ? edge(texts[end - 1], !isDescending) : []
      return { rows: read(rows.slice(from, end)), edges: [...before, ...behind] }
    }
    return { sql, read: readSlice }
  },
}

const edge = (text: unknown, isZuluOuter: boolean): readonly string[] =>
  isText(text) && text.endsWith('Z') !== isZuluOuter ? [text] : []

/** Are these two spellings of the same instant. */
const areOneInstant = (a: unknown, b: unknown): boolean =>
  isText(a) && isText(b) && a.length !== b.length && a.startsWith(b.slice(0, instantLength))

/** `2020-01-01T00:00:00.000` */
const instantLength = 23

const beforeOf = ({ skip }: SlicePlan): number => Math.min(skip, beside)

const widened = (plan: SlicePlan): SlicePlan => ({
  ...plan,
  skip: plan.skip - beforeOf(plan),
  take: beforeOf(plan) + (plan.take as number) + beside,
})

function sliceQuery(
  ordering: (walk: Walk<SqlSource, Sql>, plan: SlicePlan) => Walk<SqlSource, Sql>,
): QueryKind<SlicePlan, readonly Row[]> {
  return {
    key(plan, walk) {
      const { condition, order, from, take, skip } = rowsParts(plan, '', walk)
      const page = `${from ? 'f' : ''}${take === null ? '' : limitShape(take)}${skip === null ? '' : 's'}`
      return `${levelShape(plan)}${plan.keepsStored ? '*' : ''};${page};${partsShape(order)}${condition ?? ''}`
    },

    query(plan, walk) {
      const source = rootSource()
      const { order, from: values, ...slice } = rowsParts(plan, source, walk)
      const model = walk.catalog.model(plan.model)
      const place = values && notBefore(plan.order, { source, values, model }, walk)
      const condition = place && slice.condition ? sql`${place} and ${slice.condition}` : (place ?? slice.condition)
      const ordered = ordering(walk, plan)
      const { columns, from, keys, read } = levelSql(plan, { source, condition, order }, ordered)
      const rows =
        walk.dialect.carriesRows && isWorthKeys(plan, model, ordered)
          ? sortedByKeys({ columns, from, keys, source, model, slice }, walk)
          : sliced(sql`select ${sql.join(columns)} ${from}${orderClause(orderSql(keys))}`, slice, walk.dialect)
      return { sql: rows, read: plan.keepsStored ? keepingStored(read, plan) : read }
    },
  }
}

const keepingStored =
  (read: (rows: readonly Stored[]) => readonly Row[], { columns }: RowsPlan) =>
  (stored: readonly Stored[]): readonly Row[] => {
    const rows = read(stored)
    for (const [i, row] of rows.entries()) keepStored(row, columns, stored[i] as Stored)
    return rows
  }

/** The first rows of each parent. */
export const rankedQuery: QueryKind<PerParentPlan, readonly Row[]> = {
  key(plan, walk) {
    const { condition, order, take, most } = rankedParts(plan, '', walk)
    const end = most === null ? '' : `m${limitShape(most)}`
    const parents = plan.parents.columns.map(({ name }) => name)
    return `${levelShape(plan)};${parents}${limitShape(take)}${end};${partsShape(order)}${condition ?? ''}`
  },

  query(plan, walk) {
    const source = rootSource()
    const { condition, order, take, most } = rankedParts(plan, source, walk)
    const { read, keys, ...level } = levelSql(plan, { source, condition, order }, walk)
    return {
      sql: firstOfEach({ ...level, order: orderSql(keys), source, by: plan.parents.columns, take, most }, walk.dialect),
      read,
    }
  },
}

const levelShape = (plan: Level): string => `${plan.model}${columnsShape(plan)}${orderShape(plan.order)}`

/** The row is the one with these values, or behind it. */
function notBefore(
  order: readonly OrderTerm[],
  {
    source,
    values,
    model,
  }: { readonly source: SqlSource; readonly values: readonly number[]; readonly model: ModelMeta },
  walk: SqlContext,
): Sql {
  const columns = order.map(({ path: [name] }) => model.columns[name as string] as ColumnMeta)
  const own = columns.map((column) => orderedOf(source, column, walk))
  const theirs = columns.map((column, i) => asOrdered(slot(values[i] as number), column, walk))
  const comparison = sql.raw(order[0]?.direction === 'desc' ? '<=' : '>=')
  return sql`(${sql.join(own)}) ${comparison} (${sql.join(theirs)})`
}

function rowsParts<Source, Term>(plan: SlicePlan, source: Source, walk: Walk<Source, Term>) {
  const skipped = plan.skip - (plan.from?.skip ?? 0)
  return {
    condition: conditionOf(all(plan.where, plan.within), source, walk),
    order: orderParts(plan.order, { source, model: plan.model }, walk),
    from: plan.from?.values.map((value) => walk.values.push(value) - 1) ?? null,
    take: plan.take === null ? null : limitOf(plan.take, walk),
    skip: skipped === 0 ? null : walk.values.push(skipped) - 1,
  }
}

function rankedParts<Source, Term>(plan: PerParentPlan, source: Source, walk: Walk<Source, Term>) {
  const { where, parents, take, most } = plan
  return {
    condition: conditionOf(all(where, ofParents(parents)), source, walk),
    order: orderParts(plan.order, { source, model: plan.model }, walk),
    take: limitOf(take, walk),
    most: mostOf(most, walk),
  }
}

interface LevelParts {
  readonly source: SqlSource
  readonly condition: Sql | null
  readonly order: readonly OrderPart<Sql>[]
}

/** What both queries select, from where, and how it is read. */
function levelSql(plan: Level, { source, condition, order: parts }: LevelParts, walk: Walk<SqlSource, Sql>) {
  const { catalog, dialect } = walk
  const model = catalog.model(plan.model)
  const where = whereSql(endable(source, model, { condition, dialect }))
  const keys = orderKeys(plan.order, { source, model, parts }, walk)
  const columns = plan.columns.map((name) => selected(source, catalog.column(model, name), walk))
  const from = sql`from ${tableOf(model, catalog)} as ${sql.id(source.alias)}${allJoins(source)}${where}`
  const readRow = rowReader(plan, model, catalog)
  return { columns, from, keys, read: (rows: readonly Stored[]) => rows.map(readRow) }
}

export const whereSql = (condition: Sql | null): Sql => (condition === null ? sql`` : sql` where ${condition}`)

const orderClause = (order: Sql | null): Sql => (order === null ? sql`` : sql` order by ${order}`)

/**
 * The rows behind an implicit many-to-many: one for each link, with
 * the key of the parent that it leads to; so many in all.
 */
export const joinedQuery: QueryKind<JoinedPlan, readonly JoinedRow[]> = {
  key: joinedShape,
  query(plan, walk) {
    const { columns, from, order, take, read } = joinedParts(plan, walk)
    const rows = sql`select ${sql.join(columns)} ${from}${orderClause(order)}`
    return { sql: sliced(rows, { take, skip: null }, walk.dialect), read }
  },
}

/** The same, so many for each parent. */
export const rankedJoinedQuery: QueryKind<JoinedPlan, readonly JoinedRow[]> = {
  key: joinedShape,
  query(plan, walk) {
    const { read, ...ranked } = joinedParts(plan, walk)
    return { sql: firstOfEach(ranked, walk.dialect), read }
  },
}

function joinedShape(plan: JoinedPlan, walk: Walk<string, string>): string {
  const { condition, order, among, take, most } = linkedParts(plan, { row: '', join: '>' }, walk)
  const { relation } = plan.through
  return `${plan.model}${columnsShape(plan)}${orderShape(plan.order)};${limitShape(take)}${most === null ? '' : `m${limitShape(most)}`};${relation.name};${partsShape(order)}${among}${condition ?? ''}`
}

function joinedParts(plan: JoinedPlan, walk: Walk<SqlSource, Sql>) {
  const { catalog, dialect } = walk
  const { model, relationJoin, through } = tablesOf(plan, catalog)
  const row = rootSource()
  const source: SqlSource = { alias: row.from.newAlias(), from: row.from }
  const { condition, among, take, most, ...ordered } = linkedParts(plan, { row, join: source }, walk)
  const order = orderSql(orderKeys(plan.order, { source: row, model, parts: ordered.order }, walk))
  const shown = plan.columns.map((name) => selected(row, catalog.column(model, name), walk))
  const [[key]] = relationJoin.pairs as [RelationJoin['pairs'][number]]
  const on = sql`${columnSql(source, through.own)} = ${columnSql(row, key)}`
  const from = sql`from ${tableOf(through, catalog)} as ${sql.id(source.alias)} inner join ${tableOf(model, catalog)} as ${sql.id(row.alias)} on ${on}${allJoins(row)} where ${condition === null ? among : sql`${among} and ${endable(row, model, { condition, dialect })}`}`
  const readRow = rowReader(plan, model, catalog)
  const readParent = valueReader(through.other, walk)
  const read = (rows: readonly Stored[]): readonly JoinedRow[] =>
    rows.map((stored) => ({ row: readRow(stored), parents: [readParent(stored[shown.length])] }))
  return {
    columns: [...shown, selected(source, through.other, walk)],
    from,
    source,
    by: [through.other],
    order,
    take,
    most,
    read,
  }
}

function linkedParts<Source, Term>(
  plan: JoinedPlan,
  sources: { readonly row: Source; readonly join: Source },
  walk: Walk<Source, Term>,
) {
  const { catalog, terms } = walk
  const { through } = tablesOf(plan, catalog)
  const { take } = plan
  const { parents } = plan.through
  const condition = conditionOf(plan.where, sources.row, walk)
  const order = orderParts(plan.order, { source: sources.row, model: plan.model }, walk)
  const among =
    parents.length === 1
      ? terms.compare(sources.join, through.other, '=', onlySlot(through.other, parents, walk))
      : terms.isAmong(sources.join, through.other, listSlot(through.other, parents, walk))
  return { condition, order, among, take: limitOf(take, walk), most: mostOf(plan.most, walk) }
}

function tablesOf({ model, through: { relation, key } }: JoinedPlan, catalog: Catalog) {
  const relationJoin = catalog.joinOf(relation)
  const { through } = relationJoin
  if (!through || through.other.name !== key.name) throw new NotInSql(`${model}.${relation.name}`)
  return { model: catalog.model(model), relationJoin, through }
}
