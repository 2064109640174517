import type { RowsChange, RowsRemoval } from '@prismapi/core/database/store'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { sql } from 'kysely'
import { conditionOf, type Walk } from '../clauses/conditions.ts'
import { type Limit, limitOf, limitShape, sliced } from '../clauses/order-and-limit.ts'
import { allJoins, columnSql, rootSource, type SqlSource, tableOf } from '../clauses/sql-terms.ts'
import type { QueryKind } from '../compile-query.ts'
import { NotInSql } from '../dialects/codec.ts'
import type { Sql } from '../dialects/dialect.ts'
import { checkNotNamed, settingOf } from './change-queries.ts'
import { changedColumns } from './columns.ts'
import { whereSql } from './level-query.ts'

// Statements for all rows that meet a condition. They answer with no rows, so that they need not be seen afterwards.

/** Sets columns of rows. */
export const updateRowsQuery: QueryKind<RowsChange, null> = {
  key(plan, walk) {
    const set = changedColumns(plan.model, plan.data, walk)
    const condition = conditionOf(plan.where, '', walk)
    return `${plan.model.name}(${set.map(([{ name }]) => name).join()}+${plan.increment ?? ''});${condition ?? ''}`
  },
  query(plan, walk) {
    const { model, where } = plan
    const source = rootSource()
    const set = changedColumns(model, plan.data, walk)
    const setting = sql.join(settingOf(set, model, plan.increment))
    const { alias, whose } = among(source, { model, condition: conditionOf(where, source, walk), limit: null }, walk)
    return {
      sql: sql`update ${tableOf(model, walk.catalog)} as ${sql.id(alias)} set ${setting}${whose}`,
      read: nothing,
    }
  },
}

/** Removes rows. */
export const removeRowsQuery = (resources: Pick<Resources, 'emulatesRelations'>): QueryKind<RowsRemoval, null> => ({
  key(plan, walk) {
    checkNotNamed(plan.model, resources)
    const condition = conditionOf(plan.where, '', walk)
    const limit = plan.most === undefined ? '' : limitShape(limitOf(plan.most, walk))
    return `${plan.model.name}${limit};${condition ?? ''}`
  },
  query({ model, where, most }, walk) {
    const source = rootSource()
    const condition = conditionOf(where, source, walk)
    const limit = most === undefined ? null : limitOf(most, walk)
    const { alias, whose } = among(source, { model, condition, limit }, walk)
    return { sql: sql`delete from ${tableOf(model, walk.catalog)} as ${sql.id(alias)}${whose}`, read: nothing }
  },
})

const nothing = () => null

interface Meant {
  readonly model: ModelMeta
  readonly condition: Sql | null
  readonly limit: Limit | null
}

/** The WHERE and the table alias. With joins or a limit, rows are chosen by key in a subquery. */
function among(source: SqlSource, { model, condition, limit }: Meant, { catalog, dialect }: Walk<SqlSource, Sql>) {
  if (source.from.joins.length === 0 && limit === null) return { alias: source.alias, whose: whereSql(condition) }
  if (model.key.length === 0) throw new NotInSql(`the rows of ${model.name}, which have no key`)
  const outer = { ...source, alias: source.from.newAlias() }
  const keysOf = (at: SqlSource) => sql.join(model.key.map((name) => columnSql(at, catalog.column(model, name))))
  const found = sql`select ${keysOf(source)} from ${tableOf(model, catalog)} as ${sql.id(source.alias)}${allJoins(source)}${whereSql(condition)}`
  return {
    alias: outer.alias,
    whose: sql` where (${keysOf(outer)}) in (${sliced(found, { take: limit, skip: null }, dialect)})`,
  }
}
