import { sql } from 'kysely'
import { all, among } from '../../../condition/build.ts'
import type { OrderTerm } from '../../../condition/order-term.ts'
import type { ColumnMeta, ModelMeta } from '../../../model/meta.ts'
import type { Row } from '../../../model/where.ts'
import type { Level, PerParentPlan, RowsPlan } from '../../reader.ts'
import type { Bound, Stored } from '../../sql-database.ts'
import { keepStored } from '../../stored-rows.ts'
import { conditionOf } from '../clauses/conditions.ts'
import { firstOfEach } from '../clauses/first-of-each.ts'
import { limitOf, limitShape, mostOf, sliced } from '../clauses/limit.ts'
import { type OrderPart, orderParts, orderShape, orderSql, partsShape } from '../clauses/order.ts'
import { allJoins, columnOf, endable, rootSide, type SqlSide, tableOf } from '../clauses/sql-terms.ts'
import type { Walk } from '../clauses/walk.ts'
import { type Sql, slot } from '../dialects/dialect.ts'
import type { QueryKind } from './query-kind.ts'
import { columnsShape, rowReader, selected } from './reading.ts'

/** A slice that may be read from a row of the list on. */
export interface SlicePlan extends RowsPlan {
  /** That row's values of the order's columns, as they are stored. The order is of columns without nulls, in one direction. */
  readonly from?: readonly Bound[]
}

/** The rows of a level, or a slice of them. */
export const rowsQuery: QueryKind<SlicePlan, readonly Row[]> = {
  key(plan, walk) {
    const { condition, order, from, take, skip } = rowsParts(plan, '', walk)
    const page = `${from ? 'f' : ''}${take === null ? '' : limitShape(take)}${skip === null ? '' : 's'}`
    return `${levelShape(plan)}${plan.keepsStored ? '*' : ''};${page};${partsShape(order)}${condition ?? ''}`
  },

  query(plan, walk) {
    const side = rootSide()
    const { order, from: values, ...slice } = rowsParts(plan, side, walk)
    const place = values && notBefore(plan.order, { side, values }, walk.catalog.model(plan.model))
    const condition = place && slice.condition ? sql`${place} and ${slice.condition}` : (place ?? slice.condition)
    const { columns, from, read, ...level } = levelSql(plan, { side, condition, order }, walk)
    return {
      sql: sliced(sql`select ${sql.join(columns)} ${from}${orderClause(level.order)}`, slice, walk.dialect),
      read: plan.keepsStored ? keepingStored(read, plan) : read,
    }
  },
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
    const side = rootSide()
    const { condition, order, take, most } = rankedParts(plan, side, walk)
    const { read, ...level } = levelSql(plan, { side, condition, order }, walk)
    return { sql: firstOfEach({ ...level, side, by: plan.parents.columns, take, most }, walk.dialect), read }
  },
}

const levelShape = (plan: Level): string => `${plan.model}${columnsShape(plan)}${orderShape(plan.order)}`

/** The row is the one with these values, or behind it. */
function notBefore(
  order: readonly OrderTerm[],
  { side, values }: { readonly side: SqlSide; readonly values: readonly number[] },
  { columns }: ModelMeta,
): Sql {
  const own = order.map(({ path: [name] }) => columnOf(side, columns[name as string] as ColumnMeta))
  const comparison = sql.raw(order[0]?.direction === 'desc' ? '<=' : '>=')
  return sql`(${sql.join(own)}) ${comparison} (${sql.join(values.map(slot))})`
}

function rowsParts<Side, Term>(plan: SlicePlan, side: Side, walk: Walk<Side, Term>) {
  return {
    condition: conditionOf(plan.where, side, walk),
    order: orderParts(plan.order, { side, model: plan.model }, walk),
    from: plan.from?.map((value) => walk.values.push(value) - 1) ?? null,
    take: plan.take === null ? null : limitOf(plan.take, walk),
    skip: plan.skip === 0 ? null : walk.values.push(plan.skip) - 1,
  }
}

function rankedParts<Side, Term>(plan: PerParentPlan, side: Side, walk: Walk<Side, Term>) {
  const { where, parents, take, most } = plan
  return {
    condition: conditionOf(all(where, among(parents.columns, parents.keys)), side, walk),
    order: orderParts(plan.order, { side, model: plan.model }, walk),
    take: limitOf(take, walk),
    most: mostOf(most, walk),
  }
}

interface LevelParts {
  readonly side: SqlSide
  readonly condition: Sql | null
  readonly order: readonly OrderPart<Sql>[]
}

/** What both queries select, from where, and how it is read. */
function levelSql(plan: Level, { side, condition, order: parts }: LevelParts, walk: Walk<SqlSide, Sql>) {
  const { catalog, dialect } = walk
  const model = catalog.model(plan.model)
  const where = whereSql(endable(side, model, { condition, dialect }))
  const order = orderSql(plan.order, { side, model, parts }, walk)
  const columns = plan.columns.map((name) => selected(side, catalog.column(model, name), walk))
  const from = sql`from ${tableOf(model, catalog)} as ${sql.id(side.alias)}${allJoins(side)}${where}`
  const readRow = rowReader(plan, model, catalog)
  return { columns, from, order, read: (rows: readonly Stored[]) => rows.map(readRow) }
}

export const whereSql = (condition: Sql | null): Sql => (condition === null ? sql`` : sql` where ${condition}`)

export const orderClause = (order: Sql | null): Sql => (order === null ? sql`` : sql` order by ${order}`)
