import { sql } from 'kysely'
import { every, type Row } from '../../../model/where.ts'
import type { LevelPlan } from '../../reader.ts'
import { keysWhere } from '../../resource.ts'
import { conditionOf } from '../clauses/conditions.ts'
import { firstOfEach } from '../clauses/first-of-each.ts'
import { type Limit, limitOf, limitShape, limitSql } from '../clauses/limit.ts'
import { orderShape, orderSql } from '../clauses/order.ts'
import { allJoins, rootSide, tableOf } from '../clauses/sql-terms.ts'
import type { Walk } from '../clauses/walk.ts'
import { type Dialect, type Sql, slot } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import type { QueryKind } from './query-kind.ts'
import { columnsShape, rowReader, selected } from './reading.ts'

/** The rows of a level; of each parent's first ones, where the plan says so. */
export const levelQuery: QueryKind<LevelPlan, readonly Row[]> = {
  key(plan, walk) {
    const { condition, take, skip, each } = parts(plan, '', walk)
    const page = `${take === null ? '' : limitShape(take)}${skip === null ? '' : 's'}`
    const slice = each === null ? page : each.columns + limitShape(each.take)
    return `${plan.model}${columnsShape(plan)}${orderShape(plan.order)};${slice};${condition ?? ''}`
  },

  query(plan, walk) {
    const { catalog } = walk
    const model = catalog.model(plan.model)
    const side = rootSide()
    const { condition, take, skip, each } = parts(plan, side, walk)
    const order = orderSql(plan.order, { side, model }, walk)
    const columns = plan.columns.map((name) => selected(side, catalog.column(model, name), walk))
    const from = sql`from ${tableOf(model, catalog)} as ${sql.id(side.alias)}${allJoins(side)}${whereSql(condition)}`
    const readRow = rowReader(plan, model, catalog)
    const read = (rows: readonly (readonly unknown[])[]) => rows.map(readRow)
    if (each !== null) {
      const by = each.columns.map((name) => catalog.column(model, name))
      return { sql: firstOfEach({ columns, from, side, by, order, take: each.take }), read }
    }
    return {
      sql: sql`select ${sql.join(columns)} ${from}${orderClause(order)}${sliceSql({ take, skip }, walk.dialect)}`,
      read,
    }
  },
}

function parts<Side, Term>(plan: LevelPlan, side: Side, walk: Walk<Side, Term>) {
  const { perParent } = plan
  const where = perParent ? every(plan.where, keysWhere(perParent.columns, perParent.parents)) : plan.where
  const condition = conditionOf(where, { side, model: walk.catalog.model(plan.model) }, walk)
  return {
    condition,
    take: plan.take === null ? null : limitOf(plan.take, walk),
    skip: plan.skip === 0 ? null : walk.values.push(plan.skip) - 1,
    each: perParent && { columns: perParent.columns, take: limitOf(perParent.take, walk) },
  }
}

export const whereSql = (condition: Sql | null): Sql => (condition === null ? sql`` : sql` where ${condition}`)

export const orderClause = (order: Sql | null): Sql => (order === null ? sql`` : sql` order by ${order}`)

function sliceSql({ take, skip }: Slice, dialect: Dialect): Sql {
  if (take === null && skip !== null) throw new NotInSql('rows that are skipped without an end')
  const limit = take === null ? sql`` : limitSql(take, dialect)
  return skip === null ? limit : sql`${limit} offset ${slot(skip)}`
}

interface Slice {
  readonly take: Limit | null
  readonly skip: number | null
}
