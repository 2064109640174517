import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { sql } from 'kysely'
import type { Catalog, JoinTable, RelationJoin } from '../catalog.ts'
import { NotInSql } from '../dialects/codec.ts'
import { type Dialect, type Sql, slot } from '../dialects/dialect.ts'
import type { SqlContext, Terms } from './conditions.ts'

/** A table in a FROM: its alias, and the FROM, to which conditions add joins. */
export interface SqlSource {
  readonly alias: string
  readonly from: From
}

interface From {
  readonly joins: Sql[]
  /** A name that nothing else in the statement has. */
  newAlias(): string
  /** Its conditions search texts, or look for rows behind others: no row should be checked twice. */
  isExpensive: boolean
}

/** The table that a statement begins with. */
export function rootSource(): SqlSource {
  let used = 0
  const newAlias = () => `t${used++}`
  return { alias: newAlias(), from: { joins: [], newAlias, isExpensive: false } }
}

export const columnSql = ({ alias }: SqlSource, { column }: ColumnMeta): Sql => sql`${sql.id(alias, column)}`

/**
 * The column as rows are ordered and grouped by it: what is equal is
 * the same, and instants may be stored in several ways.
 */
export function orderedOf(source: SqlSource, column: ColumnMeta, context: SqlContext): Sql {
  return asOrdered(columnSql(source, column), column, context)
}

/** The same of a value that the column has stored. */
export function asOrdered(value: Sql, column: ColumnMeta, { dialect, instantsIn }: SqlContext): Sql {
  const stored = instantsIn(column)
  return dialect.instant && (stored === 'both' || stored === 'mixed') ? dialect.instant(value, stored) : value
}

/** The column as it is compared with values, which are spelt as it has them. Texts that are mixed have no order. */
function comparedOf(source: SqlSource, column: ColumnMeta, { dialect, instantsIn }: SqlContext): Sql {
  const own = columnSql(source, column)
  return dialect.instant && instantsIn(column) === 'mixed' ? dialect.instant(own, 'mixed') : own
}

export function tableOf({ table, dbSchema }: Pick<ModelMeta, 'table' | 'dbSchema'>, { schema }: Catalog): Sql {
  const home = dbSchema ?? schema
  return home === null ? sql`${sql.id(table)}` : sql`${sql.id(home, table)}`
}

export const allJoins = ({ from }: SqlSource): Sql => sql.join(from.joins, sql``)

const and = (terms: readonly Sql[]): Sql => sql.join(terms, sql` and `)
const or = (terms: readonly Sql[]): Sql => sql.join(terms, sql` or `)

/** The columns that make a row of the other side one of this side's. */
const linked = (near: SqlSource, far: SqlSource, { pairs }: RelationJoin): Sql =>
  and(pairs.map(([own, other]) => sql`${columnSql(far, other)} = ${columnSql(near, own)}`))

/** A condition on the rows of a table, with what lets the statement be ended while it looks at them. */
export function endable<Condition extends Sql | null>(
  source: SqlSource,
  { key, columns }: ModelMeta,
  { condition, dialect }: { readonly condition: Condition; readonly dialect: Dialect },
): Condition | Sql {
  const column = columns[key[0] as string] ?? Object.values(columns)[0]
  if (condition === null || !dialect.endable || !column) return condition
  return and([dialect.endable(columnSql(source, column)), condition])
}

/** Conditions as SQL: the same joins and the same EXISTS as Prisma's own, so that NULL means the same in each place. */
export function sqlTerms(context: SqlContext): Terms<SqlSource, Sql> {
  const { catalog, dialect } = context
  return {
    all: (terms) => sql`(${and(terms)})`,
    any: (terms) => sql`(${or(terms)})`,
    not: (term) => sql`(not ${term})`,
    constant: (holds) => (holds ? sql`1 = 1` : sql`1 = 0`),
    isNull: (source, column) => sql`${columnSql(source, column)} is null`,
    compare(source, column, comparison, index) {
      source.from.isExpensive ||= comparison === 'like' || comparison === 'ilike'
      return sql`${comparedOf(source, column, context)} ${sql.raw(comparison)} ${slot(index)}`
    },
    search(source, column, search, index) {
      if (!dialect.search) throw new NotInSql(`a search in ${column.name}`)
      return dialect.search(columnSql(source, column), search, slot(index))
    },
    matches(source, words, index) {
      source.from.isExpensive = true
      return dialect.words.matches(source.alias, words, { text: slot(index), table: tableOf(words, catalog) })
    },
    rank(source, words, indexes) {
      const table = tableOf(words, catalog)
      return dialect.words.rank(
        source.alias,
        words,
        indexes.map((index) => ({ text: slot(index), table })),
      )
    },
    isAmong: (source, column, index) => dialect.isAmong(comparedOf(source, column, context), slot(index)),
    joined(source, relation) {
      const relationJoin = catalog.joinOf(relation)
      const joined = { alias: source.from.newAlias(), from: source.from }
      source.from.joins.push(
        sql` left join ${tableOf(relationJoin.target, catalog)} as ${sql.id(joined.alias)} on ${linked(source, joined, relationJoin)}`,
      )
      return joined
    },
    isPresent(joined, relation) {
      const [[, key]] = catalog.joinOf(relation).pairs as [RelationJoin['pairs'][number]]
      return sql`${columnSql(joined, key)} is not null`
    },
    exists(source, relation, where) {
      const relationJoin = catalog.joinOf(relation)
      const target: SqlSource = {
        alias: source.from.newAlias(),
        from: { ...source.from, joins: [], isExpensive: false },
      }
      const condition = endable(target, relationJoin.target, { condition: where(target), dialect })
      const end = (target.from.isExpensive && dialect.subselectFence) || sql``
      source.from.isExpensive ||= condition !== null
      const table = sql`${tableOf(relationJoin.target, catalog)} as ${sql.id(target.alias)}`
      const on = linked(source, target, relationJoin)
      if (condition && !relationJoin.through) return oneToMany(source, target, { relationJoin, table, condition, end })
      if (!relationJoin.through) return sql`exists (select 1 from ${table}${allJoins(target)} where ${on})`
      return throughJoin(source, target, { relationJoin, table, condition, end, catalog })
    },
    count(source, relation, where) {
      const relationJoin = catalog.joinOf(relation)
      const target: SqlSource = {
        alias: source.from.newAlias(),
        from: { ...source.from, joins: [], isExpensive: false },
      }
      const condition = endable(target, relationJoin.target, { condition: where(target), dialect })
      const counted = source.from.newAlias()
      const { keys, from } = countedRows(target, { relationJoin, catalog })
      const names = keys.map((_, i) => sql.id(`k${i}`))
      const shown = sql.join(keys.map((key, i) => sql`${key} as ${names[i]}`))
      const rows = sql`select ${shown}, count(*) as n ${from}${allJoins(target)}${condition === null ? sql`` : sql` where ${condition}`} group by ${sql.join(keys)}`
      const on = and(
        relationJoin.pairs.map(([own], i) => sql`${sql.id(counted)}.${names[i]} = ${columnSql(source, own)}`),
      )
      source.from.joins.push(sql` left join (${rows}) as ${sql.id(counted)} on ${on}`)
      source.from.isExpensive = true
      return sql`coalesce(${sql.id(counted, 'n')}, 0)`
    },
  }
}

/** The rows behind a to-many relation, and the columns that say whose they are. */
function countedRows(target: SqlSource, { relationJoin, catalog }: Pick<Beyond, 'relationJoin' | 'catalog'>) {
  const table = sql`${tableOf(relationJoin.target, catalog)} as ${sql.id(target.alias)}`
  const { through } = relationJoin
  if (!through)
    return { keys: relationJoin.pairs.map(([, other]) => columnSql(target, other)), from: sql`from ${table}` }
  const [[, other]] = relationJoin.pairs as [RelationJoin['pairs'][number]]
  const join: SqlSource = { alias: target.from.newAlias(), from: target.from }
  const on = sql`${columnSql(target, other)} = ${columnSql(join, through.other)}`
  return {
    keys: [columnSql(join, through.own)],
    from: sql`from ${tableOf(through, catalog)} as ${sql.id(join.alias)} inner join ${table} on ${on}`,
  }
}

/**
 * The rows whose key is named by rows that meet the condition: these are looked for once, and not once
 * for each row of this side. It means what EXISTS means as long as no NULL is compared: EXISTS finds no
 * row for a key with one, so such keys are left out on both sides, and what is left is true or false.
 */
function oneToMany(
  source: SqlSource,
  target: SqlSource,
  { relationJoin, table, condition, end }: Omit<Beyond, 'catalog' | 'condition'> & { readonly condition: Sql },
): Sql {
  const own = relationJoin.pairs.map(([column]) => columnSql(source, column))
  const keys = relationJoin.pairs.map(([, column]) => columnSql(target, column))
  const isPresent = (columns: readonly Sql[], isNullable: (pair: RelationJoin['pairs'][number]) => boolean): Sql[] =>
    columns
      .filter((_, i) => isNullable(relationJoin.pairs[i] as RelationJoin['pairs'][number]))
      .map((column) => sql`${column} is not null`)
  const where = and([...isPresent(keys, ([, { isNullable }]) => isNullable), condition])
  const tuple = own.length === 1 ? sql.join(own) : sql`(${sql.join(own)})`
  const among = sql`${tuple} in (select ${sql.join(keys)} from ${table}${allJoins(target)} where ${where}${end})`
  const present = isPresent(own, ([{ isNullable }]) => isNullable)
  return present.length === 0 ? among : sql`(${and([...present, among])})`
}

interface Beyond {
  readonly relationJoin: RelationJoin
  readonly table: Sql
  readonly condition: Sql | null
  /** What the statement of its rows ends with. */
  readonly end: Sql
  readonly catalog: Catalog
}

/**
 * The rows behind a join table that meet the condition. IN, because the database can begin with those rows, of which
 * there are few as a rule; neither the keys nor the join table's columns are ever NULL, so it means what EXISTS means.
 */
function throughJoin(
  source: SqlSource,
  target: SqlSource,
  { relationJoin, table, condition, end, catalog }: Beyond,
): Sql {
  const [[own, other]] = relationJoin.pairs as [RelationJoin['pairs'][number]]
  const through = relationJoin.through as JoinTable
  const join: SqlSource = { alias: source.from.newAlias(), from: source.from }
  const on = sql`${columnSql(target, other)} = ${columnSql(join, through.other)}`
  const from = sql`from ${tableOf(through, catalog)} as ${sql.id(join.alias)} inner join ${table} on ${on}${allJoins(target)}`
  const key = columnSql(join, through.own)
  if (!condition) return sql`exists (select 1 ${from} where ${key} = ${columnSql(source, own)})`
  return sql`${columnSql(source, own)} in (select ${key} ${from} where ${condition}${end})`
}
