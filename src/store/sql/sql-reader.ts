import { type Awaitable, isPromise } from '../../model/awaitable.ts'
import type { Resources } from '../../model/meta.ts'
import { type BoundedCache, boundedCache } from '../../request/bounded-cache.ts'
import { toClientError } from '../database-errors.ts'
import type { Reader } from '../reader.ts'
import { type Catalog, catalogOf } from './catalog.ts'
import { countByQuery, countQuery, countThroughQuery } from './count-queries.ts'
import type { Bound, SqlDatabase, Statement, Stored } from './database.ts'
import { compileSql, type Dialect } from './dialect.ts'
import { dialects } from './dialects.ts'
import { joinedOfEach, rowsOfEach } from './each-parent.ts'
import { joinedQuery, rankedJoinedQuery } from './joined-query.ts'
import { type KeptAnswers, keepAnswers } from './kept-answers.ts'
import { levelQuery } from './level-query.ts'
import { NotInSql } from './not-in-sql.ts'
import type { QueryKind } from './query-kind.ts'
import { shape } from './shape.ts'
import { sqlTerms } from './sql-terms.ts'

/** A client may choose the shape of its filters, so the statements that are kept have an end. */
const keptStatements = 500

export interface SqlReaderParts {
  readonly database: SqlDatabase
  readonly resources: Resources
  /** Reads what is not known in SQL. */
  readonly prisma: Reader
  /** Is told the model of such a plan, and the part that was not known. */
  readonly onUnknown: (model: string, part: string) => void
}

/**
 * Executes plans as prepared statements: one for each shape of plan, made at its first use. What it does not know it
 * hands to Prisma's reader, whole, so that both always say the same.
 */
export function sqlReader({ database, resources, prisma, onUnknown }: SqlReaderParts): Reader {
  const dialect = dialects[database.provider]
  const place: Place = {
    database,
    dialect,
    catalog: catalogOf(resources, dialect.codecsOf(resources.enums), database.schema),
  }
  const readWith = <Plan extends { readonly model: string }, Answer>(
    kind: QueryKind<Plan, Answer>,
    readByPrisma: (plan: Plan) => Awaitable<Answer>,
    kept: Kept | null = null,
  ) => {
    const known = { statements: boundedCache<Prepared<Answer>>(keptStatements), kept }
    const otherwise = async (error: unknown, plan: Plan): Promise<Answer> => {
      if (!(error instanceof NotInSql)) throw toClientError(error)
      onUnknown(plan.model, error.message)
      return readByPrisma(plan)
    }
    return (plan: Plan): Awaitable<Answer> => {
      try {
        const answer = run(kind, plan, known, place)
        return isPromise(answer) ? answer.catch((error: unknown) => otherwise(error, plan)) : answer
      } catch (error) {
        return otherwise(error, plan)
      }
    }
  }
  const { version } = database
  const count = readWith(
    countQuery,
    ({ model, where }) => prisma.count(model, where),
    version ? keepAnswers(version) : null,
  )
  const countBy = readWith(countByQuery, ({ model, columns, where }) => prisma.countBy(model, columns, where))
  const level = readWith(levelQuery, prisma.rows)
  const joined = readWith(joinedQuery, prisma.joined)
  const ranked = readWith(rankedJoinedQuery, prisma.joined)
  return {
    rows: (plan) => (plan.perParent ? rowsOfEach(level, plan, plan.perParent) : level(plan)),
    joined: (plan) => joinedOfEach(joined, ranked, plan),
    count: (model, where) => count({ model, where }),
    countBy: (model, columns, where) => countBy({ model, columns, where }),
    countThrough: readWith(countThroughQuery, prisma.countThrough),
  }
}

interface Place {
  readonly database: SqlDatabase
  readonly dialect: Dialect
  readonly catalog: Catalog
}

interface Prepared<Answer> {
  readonly statement: Statement
  readonly slots: readonly number[]
  readonly read: (rows: readonly Stored[]) => Answer
}

/** Totals are asked for again and again, and grow with the table. */
type Kept = KeptAnswers<ReturnType<Statement['all']>>

interface Known<Answer> {
  readonly statements: BoundedCache<Prepared<Answer>>
  readonly kept: Kept | null
}

function run<Plan, Answer>(
  kind: QueryKind<Plan, Answer>,
  plan: Plan,
  { statements, kept }: Known<Answer>,
  place: Place,
): Awaitable<Answer> {
  const { catalog, dialect } = place
  const values: Bound[] = []
  const key = kind.key(plan, { catalog, dialect, terms: shape, values })
  const { statement, slots, read } = statements.get(key, () => prepare(kind, plan, place))
  const ask = () => statement.all(slots.map((slot) => values[slot] as Bound))
  const rows = kept ? kept.get(key, values, ask) : ask()
  return isPromise(rows) ? rows.then(read) : read(rows)
}

function prepare<Plan, Answer>(kind: QueryKind<Plan, Answer>, plan: Plan, place: Place): Prepared<Answer> {
  const { database, dialect, catalog } = place
  const query = kind.query(plan, { catalog, dialect, terms: sqlTerms(catalog, dialect), values: [] })
  const { text, slots } = compileSql(query.sql, dialect)
  return { statement: database.prepare(text), slots, read: query.read }
}
