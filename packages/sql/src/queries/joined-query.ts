import type { JoinedPlan, JoinedRow } from '@prismapi/core/database/reader'
import type { Stored } from '@prismapi/core/database/sql-database'
import { sql } from 'kysely'
import type { Catalog, RelationJoin } from '../catalog.ts'
import { conditionOf } from '../clauses/conditions.ts'
import {
  firstOfEach,
  limitOf,
  limitShape,
  mostOf,
  orderKeys,
  orderParts,
  orderShape,
  orderSql,
  partsShape,
  sliced,
} from '../clauses/order-and-limit.ts'
import { allJoins, columnSql, endable, rootSource, type SqlSource, tableOf } from '../clauses/sql-terms.ts'
import { listSlot, slotFor, type Walk } from '../clauses/terms.ts'
import { NotInSql } from '../codecs/codec.ts'
import type { QueryKind } from '../compile-query.ts'
import type { Sql } from '../dialects/dialect.ts'
import { orderClause } from './level-query.ts'
import { columnsShape, rowReader, selected, valueReader } from './reading.ts'

/**
 * The rows behind an implicit many-to-many: one for each link, with
 * the key of the parent that it leads to; so many in all.
 */
export const joinedQuery: QueryKind<JoinedPlan, readonly JoinedRow[]> = {
  key,
  query(plan, walk) {
    const { columns, from, order, take, read } = joinedParts(plan, walk)
    const rows = sql`select ${sql.join(columns)} ${from}${orderClause(order)}`
    return { sql: sliced(rows, { take, skip: null }, walk.dialect), read }
  },
}

/** The same, so many for each parent. */
export const rankedJoinedQuery: QueryKind<JoinedPlan, readonly JoinedRow[]> = {
  key,
  query(plan, walk) {
    const { read, ...ranked } = joinedParts(plan, walk)
    return { sql: firstOfEach(ranked, walk.dialect), read }
  },
}

function key(plan: JoinedPlan, walk: Walk<string, string>): string {
  const { condition, order, among, take, most } = parts(plan, { row: '', join: '>' }, walk)
  const { relation } = plan.through
  return `${plan.model}${columnsShape(plan)}${orderShape(plan.order)};${limitShape(take)}${most === null ? '' : `m${limitShape(most)}`};${relation.name};${partsShape(order)}${among}${condition ?? ''}`
}

function joinedParts(plan: JoinedPlan, walk: Walk<SqlSource, Sql>) {
  const { catalog, dialect } = walk
  const { model, relationJoin, through } = tablesOf(plan, catalog)
  const row = rootSource()
  const source: SqlSource = { alias: row.from.newAlias(), from: row.from }
  const { condition, among, take, most, ...ordered } = parts(plan, { row, join: source }, walk)
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

function parts<Source, Term>(
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
      ? terms.compare(sources.join, through.other, '=', slotFor(through.other, parents[0], walk))
      : terms.isAmong(sources.join, through.other, listSlot(through.other, parents, walk))
  return { condition, order, among, take: limitOf(take, walk), most: mostOf(plan.most, walk) }
}

function tablesOf({ model, through: { relation, key } }: JoinedPlan, catalog: Catalog) {
  const relationJoin = catalog.joinOf(relation)
  const { through } = relationJoin
  if (!through || through.other.name !== key.name) throw new NotInSql(`${model}.${relation.name}`)
  return { model: catalog.model(model), relationJoin, through }
}
