import type { CountByPlan, Counted, CountPlan, CountThroughPlan } from '@prismapi/core/database/reader'
import type { Bound, Stored, Version } from '@prismapi/core/database/sql-database'
import { type Awaitable, isPromise } from '@prismapi/jsonapi/model/awaitable'
import { type BoundedCache, boundedCache } from '@prismapi/jsonapi/model/memo'
import { sql } from 'kysely'
import { conditionOf, type SqlContext, type Walk } from '../clauses/conditions.ts'
import { allJoins, columnSql, endable, rootSource, type SqlSource, tableOf } from '../clauses/sql-terms.ts'
import { type QueryKind, textOfValues } from '../compile-query.ts'
import { NotInSql } from '../dialects/codec.ts'
import { selected, valueReader } from './columns.ts'
import { whereSql } from './level-query.ts'

/**
 * The number of rows that meet a condition. An end is the paginator's
 * and not the client's: each may be a statement of its own.
 */
export const countQuery: QueryKind<Pick<CountPlan, 'model' | 'where' | 'most'>, number> = {
  key: ({ model, where, most }, walk) =>
    `${model}${most === undefined ? '' : `<${most}`};${conditionOf(where, '', walk) ?? ''}`,

  query(plan, walk) {
    const { catalog, dialect } = walk
    const model = catalog.model(plan.model)
    const source = rootSource()
    const condition = endable(source, model, { condition: conditionOf(plan.where, source, walk), dialect })
    const rows = sql`from ${tableOf(model, catalog)} as ${sql.id(source.alias)}${allJoins(source)}${whereSql(condition)}`
    return {
      sql:
        plan.most === undefined
          ? sql`select count(*) ${rows}`
          : sql`select count(*) from (select 1 ${rows} limit ${sql.lit(plan.most)}) as ${sql.id('found')}`,
      read: ([row]) => Number(row?.[0]),
    }
  },
}

/** The number of rows for each combination of values. */
export const countByQuery: QueryKind<CountByPlan, readonly Counted[]> = {
  key: (plan, walk) => `${plan.columns.join()};${countQuery.key(plan, walk)}`,

  query(plan, walk) {
    const { catalog, dialect } = walk
    const model = catalog.model(plan.model)
    const source = rootSource()
    const condition = endable(source, model, { condition: conditionOf(plan.where, source, walk), dialect })
    const columns = plan.columns.map((name) => catalog.column(model, name))
    const shown = columns.map((column) => selected(source, column, walk))
    const by = sql.join(columns.map((column) => columnSql(source, column)))
    return {
      sql: sql`select ${sql.join(shown)}, count(*) from ${tableOf(model, catalog)} as ${sql.id(source.alias)}${allJoins(source)}${whereSql(condition)} group by ${by}`,
      read: countedReader(plan, walk),
    }
  },
}

/** The number of rows behind an implicit many-to-many, for each row at this end. */
export const countThroughQuery: QueryKind<CountThroughPlan, readonly Counted[]> = {
  key(plan, walk) {
    const { where, counted } = throughParts(plan, { near: '', far: '' }, walk)
    return `${plan.model}(${plan.columns.join()});${where ?? ''};${plan.relation.name};${counted ?? ''}`
  },

  query(plan, walk) {
    const { catalog } = walk
    const model = catalog.model(plan.model)
    const near = rootSource()
    const far: SqlSource = { alias: near.from.newAlias(), from: { ...near.from, joins: [] } }
    const { where, counted, relationJoin, through } = throughParts(plan, { near, far }, walk)
    const join: SqlSource = { alias: near.from.newAlias(), from: near.from }
    const [[own, other]] = relationJoin.pairs as [(typeof relationJoin.pairs)[number]]
    const links = sql`${columnSql(join, through.own)} = ${columnSql(near, own)}`
    const on = sql`${columnSql(far, other)} = ${columnSql(join, through.other)}`
    const number = sql`select count(*) from ${tableOf(through, catalog)} as ${sql.id(join.alias)} inner join ${tableOf(relationJoin.target, catalog)} as ${sql.id(far.alias)} on ${on}${allJoins(far)} where ${counted === null ? links : sql`${links} and ${counted}`}`
    const shown = plan.columns.map((name) => selected(near, catalog.column(model, name), walk))
    return {
      sql: sql`select ${sql.join(shown)}, (${number}) from ${tableOf(model, catalog)} as ${sql.id(near.alias)}${allJoins(near)}${whereSql(where)}`,
      read: countedReader(plan, walk),
    }
  },
}

function throughParts<Source, Term>(
  plan: CountThroughPlan,
  { near, far }: { readonly near: Source; readonly far: Source },
  walk: Walk<Source, Term>,
) {
  const relationJoin = walk.catalog.joinOf(plan.relation)
  if (!relationJoin.through) throw new NotInSql(`${plan.model}.${plan.relation.name}`)
  const where = conditionOf(plan.where, near, walk)
  const counted = conditionOf(plan.counted, far, walk)
  return { where, counted, relationJoin, through: relationJoin.through }
}

function countedReader(
  { model: name, columns }: Pick<CountByPlan, 'model' | 'columns'>,
  { catalog }: Pick<SqlContext, 'catalog'>,
): (rows: readonly Stored[]) => readonly Counted[] {
  const reads = columns.map((column) => valueReader(catalog.column(catalog.model(name), column), { catalog }))
  return (rows) =>
    rows.map((stored) => ({ key: reads.map((read, i) => read(stored[i])), count: Number(stored[columns.length]) }))
}

/** Answers of a database that has not changed since they were given. */
export interface VersionedCache<Answer> {
  /** `version`: that of the database, read before the question is asked. */
  get(version: Version, question: Question, ask: () => Awaitable<Answer>): Awaitable<Answer>
}

interface Question {
  readonly key: string
  readonly values: readonly Bound[]
}

const maxAnswers = 1000
/** Of the keys of all answers. */
const maxCharacters = 262_144

/**
 * Keeps answers until the version says that a write has been committed: then none is used again. As
 * the version is older than the question, what is committed in between is never taken for known.
 */
export function versionedCache<Answer>(): VersionedCache<Answer> {
  let keptAt: Version | null = null
  let answers: BoundedCache<Awaitable<Answer>> = boundedCache(maxAnswers, maxCharacters)
  const forget = () => {
    keptAt = null
  }
  return {
    get(version, { key, values }, ask) {
      if (version !== keptAt) {
        keptAt = version
        answers = boundedCache(maxAnswers, maxCharacters)
      }
      return answers.get(`${key}\n${textOfValues(values)}`, () => {
        const answer = ask()
        // What failed is asked again.
        if (isPromise(answer)) answer.catch(forget)
        return answer
      })
    },
  }
}
