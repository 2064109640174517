import type { LinksOf } from '@prismapi/core/database/prisma/client'
import type { Row } from '@prismapi/jsonapi/model/where'
import { sql } from 'kysely'
import type { Catalog, JoinTable, RelationJoin } from '../catalog.ts'
import { slotFor, type Walk } from '../clauses/conditions.ts'
import { tableOf } from '../clauses/sql-terms.ts'
import type { QueryKind } from '../compile-query.ts'
import { NotInSql } from '../dialects/codec.ts'
import { type Sql, slot } from '../dialects/dialect.ts'
import { valueReader } from './columns.ts'

// Statements about the links of one row by an implicit many-to-many, whose join table has no model.

/** Links of a row, to those targets. */
export interface LinksPlan extends LinksOf {
  readonly targets: readonly Row[]
}

/** Links of a row, behind the one that was read last. */
export interface LinksPage extends LinksOf {
  readonly last: Row | null
}

/** So many links are read at once that others have their turn soon. */
export const linksAtOnce = 5000

/** Makes links, and leaves out those that there are, and targets that there are not. */
export const linkQuery: QueryKind<LinksPlan, null> = {
  key: keyOf,
  query(plan, walk) {
    const { own, other, join, near, far, at, among } = partsOf(plan, walk)
    const found = sql`${near} = ${slot(at)} and ${walk.dialect.isAmong(far, slot(among))}`
    const ends = sql`${own.table} as ${sql.id('o')}, ${other.table} as ${sql.id('t')}`
    return {
      sql: sql`insert into ${join.table} (${join.own}, ${join.other}) select ${near}, ${far} from ${ends} where ${found} on conflict do nothing`,
      read: () => null,
    }
  },
}

/** Ends links. */
export const unlinkQuery: QueryKind<LinksPlan, null> = {
  key: keyOf,
  query(plan, walk) {
    return { sql: sql`delete ${linksOf(plan, walk)}`, read: () => null }
  },
}

/** Counts links. */
export const countLinksQuery: QueryKind<LinksPlan, number> = {
  key: keyOf,
  query(plan, walk) {
    return { sql: sql`select count(*) ${linksOf(plan, walk)}`, read: ([row]) => Number(row?.[0]) }
  },
}

/** Reads the keys at the other ends. */
export const linkedQuery: QueryKind<LinksPage, readonly Row[]> = {
  key(plan, walk) {
    pageOf(plan, walk)
    return `${shapeOfLinks(plan)}${plan.last ? '>' : ''}`
  },
  query(plan, walk) {
    const { join, far, at, last } = pageOf(plan, walk)
    const behind = last === null ? sql`` : sql` and ${join.other} > ${slot(last)}`
    const readKey = valueReader(far, walk)
    const key = walk.dialect.selected(sql`${join.other}`, far, walk.catalog.codec(far))
    return {
      sql: sql`select ${key} from ${join.table} where ${join.own} = ${slot(at)}${behind} order by ${join.other} limit ${sql.lit(linksAtOnce)}`,
      read: (rows) => rows.map(([key]) => ({ [far.name]: readKey(key) })),
    }
  },
}

function keyOf(plan: LinksPlan, walk: Walk<string, string>): string {
  slotsOf(plan, walk)
  return shapeOfLinks(plan)
}

const shapeOfLinks = ({ model, relation }: LinksOf): string => `${model.name}.${relation.name}`

function ends(of: LinksOf, catalog: Catalog) {
  const { target, pairs, through } = catalog.joinOf(of.relation)
  const [[near, far]] = pairs as readonly [RelationJoin['pairs'][number]]
  if (!through) throw new NotInSql(`the links of ${shapeOfLinks(of)}`)
  return { target, near, far, through }
}

function slotsOf<Source, Term>(plan: LinksPlan, walk: Walk<Source, Term>) {
  const found = ends(plan, walk.catalog)
  const { near, far } = found
  const keys = plan.targets.map((target) => walk.catalog.codec(far).bind(target[far.name]))
  const list = walk.dialect.bindList(keys, walk.catalog.codec(far))
  if (list === null) throw new NotInSql(`a list of ${far.type}`)
  return { ...found, at: slotFor(near, plan.row[near.name], walk), among: walk.values.push(list) - 1 }
}

const joinOf = (through: JoinTable, catalog: Catalog) => ({
  table: tableOf(through, catalog),
  own: sql.id(through.own.column),
  other: sql.id(through.other.column),
})

function partsOf<Source, Term>(plan: LinksPlan, walk: Walk<Source, Term>) {
  const { target, near, far, through, at, among } = slotsOf(plan, walk)
  return {
    own: { table: tableOf(plan.model, walk.catalog) },
    other: { table: tableOf(target, walk.catalog) },
    join: joinOf(through, walk.catalog),
    near: sql`${sql.id('o', near.column)}`,
    far: sql`${sql.id('t', far.column)}`,
    at,
    among,
  }
}

function linksOf<Source, Term>(plan: LinksPlan, walk: Walk<Source, Term>): Sql {
  const { join, at, among } = partsOf(plan, walk)
  return sql`from ${join.table} where ${join.own} = ${slot(at)} and ${walk.dialect.isAmong(sql`${join.other}`, slot(among))}`
}

function pageOf<Source, Term>(plan: LinksPage, walk: Walk<Source, Term>) {
  const { near, far, through } = ends(plan, walk.catalog)
  const at = slotFor(near, plan.row[near.name], walk)
  return { far, at, join: joinOf(through, walk.catalog), last: plan.last && slotFor(far, plan.last[far.name], walk) }
}
