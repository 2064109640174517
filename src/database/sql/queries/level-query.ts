import { sql } from 'kysely'
import { all, among } from '../../../condition/build.ts'
import type { Row } from '../../../model/where.ts'
import type { Level, PerParentPlan, RowsPlan } from '../../reader.ts'
import { keepStored } from '../../stored-rows.ts'
import { conditionOf } from '../clauses/conditions.ts'
import { firstOfEach } from '../clauses/first-of-each.ts'
import { limitOf, limitShape, mostOf, sliced } from '../clauses/limit.ts'
import { orderSeen, orderShape, orderSql, seenShape } from '../clauses/order.ts'
import { allJoins, endable, rootSide, type SqlSide, tableOf } from '../clauses/sql-terms.ts'
import type { Walk } from '../clauses/walk.ts'
import type { Stored } from '../database.ts'
import type { Sql } from '../dialects/dialect.ts'
import type { QueryKind } from './query-kind.ts'
import { columnsShape, rowReader, selected } from './reading.ts'

/** The rows of a level, or a slice of them. */
export const rowsQuery: QueryKind<RowsPlan, readonly Row[]> = {
  key(plan, walk) {
    const { condition, seen, take, skip } = rowsParts(plan, '', walk)
    const page = `${take === null ? '' : limitShape(take)}${skip === null ? '' : 's'}`
    return `${levelShape(plan)}${plan.keepsStored ? '*' : ''};${page};${seenShape(seen)}${condition ?? ''}`
  },

  query(plan, walk) {
    const side = rootSide()
    const { condition, seen, ...slice } = rowsParts(plan, side, walk)
    const { columns, from, order, read } = levelSql(plan, { side, condition, seen }, walk)
    return {
      sql: sliced(sql`select ${sql.join(columns)} ${from}${orderClause(order)}`, slice, walk.dialect),
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
    const { condition, seen, take, most } = rankedParts(plan, '', walk)
    const end = most === null ? '' : `m${limitShape(most)}`
    const parents = plan.parents.columns.map(({ name }) => name)
    return `${levelShape(plan)};${parents}${limitShape(take)}${end};${seenShape(seen)}${condition ?? ''}`
  },

  query(plan, walk) {
    const side = rootSide()
    const { condition, seen, take, most } = rankedParts(plan, side, walk)
    const { read, ...level } = levelSql(plan, { side, condition, seen }, walk)
    return { sql: firstOfEach({ ...level, side, by: plan.parents.columns, take, most }, walk.dialect), read }
  },
}

const levelShape = (plan: Level): string => `${plan.model}${columnsShape(plan)}${orderShape(plan.order)}`

function rowsParts<Side, Term>(plan: RowsPlan, side: Side, walk: Walk<Side, Term>) {
  return {
    condition: conditionOf(plan.where, side, walk),
    seen: orderSeen(plan.order, side, walk),
    take: plan.take === null ? null : limitOf(plan.take, walk),
    skip: plan.skip === 0 ? null : walk.values.push(plan.skip) - 1,
  }
}

function rankedParts<Side, Term>(plan: PerParentPlan, side: Side, walk: Walk<Side, Term>) {
  const { where, parents, take, most } = plan
  return {
    condition: conditionOf(all(where, among(parents.columns, parents.keys)), side, walk),
    seen: orderSeen(plan.order, side, walk),
    take: limitOf(take, walk),
    most: mostOf(most, walk),
  }
}

type Seen = ReturnType<typeof orderSeen<SqlSide, Sql>>

/** What both queries select, from where, and how it is read. */
function levelSql(
  plan: Level,
  { side, condition, seen }: { readonly side: SqlSide; readonly condition: Sql | null; readonly seen: Seen },
  walk: Walk<SqlSide, Sql>,
) {
  const { catalog, dialect } = walk
  const model = catalog.model(plan.model)
  const where = whereSql(endable(side, model, { condition, dialect }))
  const order = orderSql(plan.order, { side, model, seen }, walk)
  const columns = plan.columns.map((name) => selected(side, catalog.column(model, name), walk))
  const from = sql`from ${tableOf(model, catalog)} as ${sql.id(side.alias)}${allJoins(side)}${where}`
  const readRow = rowReader(plan, model, catalog)
  return { columns, from, order, read: (rows: readonly Stored[]) => rows.map(readRow) }
}

export const whereSql = (condition: Sql | null): Sql => (condition === null ? sql`` : sql` where ${condition}`)

export const orderClause = (order: Sql | null): Sql => (order === null ? sql`` : sql` order by ${order}`)
