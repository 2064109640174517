import { type Awaitable, after, isPromise } from '../../model/awaitable.ts'
import type { Resources } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'
import { type BoundedCache, boundedCache } from '../../request/bounded-cache.ts'
import { toClientError } from '../prisma/database-errors.ts'
import {
  type Answer,
  type LookUpPlan,
  lookUpAsRows,
  type Plan,
  type PlanKind,
  type Reader,
  type RowsPlan,
  readerOf,
} from '../reader.ts'
import { batchingLoader } from './batching-loader.ts'
import { type Catalog, catalogOf } from './catalog.ts'
import { sqlTerms } from './clauses/sql-terms.ts'
import { type CountCache, countCache, textOfValues } from './count-cache.ts'
import type { Bound, SqlDatabase, Statement, Stored, Version } from './database.ts'
import { compileSql, type Dialect } from './dialects/dialect.ts'
import { dialects } from './dialects/dialects.ts'
import { joinedOfEach, rowsOfEach } from './each-parent.ts'
import { NotInSql } from './not-in-sql.ts'
import { countByQuery, countQuery, countThroughQuery } from './queries/count-queries.ts'
import { groupsQuery } from './queries/groups-query.ts'
import { joinedQuery, rankedJoinedQuery } from './queries/joined-query.ts'
import { rankedQuery, rowsQuery } from './queries/level-query.ts'
import type { QueryKind } from './queries/query-kind.ts'
import { shape } from './shape.ts'

/** A client may choose the shape of its filters, so the statements that are kept have an end. */
const keptStatements = 500

export interface SqlReaderParts {
  readonly database: SqlDatabase
  readonly resources: Resources
  /** Reads what is not known in SQL. */
  readonly prisma: Reader
  /** Is told the model of such a plan, and the part that was not known. */
  readonly onUnknown: (model: string, part: string) => void
  /** What is known of totals; where nothing is said, what this reader has read itself. */
  readonly totals?: CountCache<readonly Stored[]>
  /** How many characters of text one statement may bring into memory; left out, any number. */
  readonly characters?: number
  /** Says it in another way than the database's provider does. */
  readonly dialect?: Dialect
}

/**
 * Executes plans as prepared statements: one for each shape of plan, made at its first use. What it does not know it
 * hands to Prisma's reader, whole, so that both always say the same.
 */
export function sqlReader(parts: SqlReaderParts): Reader {
  const { database, resources, prisma, onUnknown, totals = countCache() } = parts
  const { dialect = dialects[database.provider], characters } = parts
  const place: Place = {
    database,
    dialect,
    catalog: catalogOf(resources, dialect.codecsOf(resources.enums), database.schema),
    characters,
  }
  const readWith = <Kind extends PlanKind>(
    query: QueryKind<Plan<Kind>, Answer<Kind>>,
    kept: Kept | null = null,
  ): ((plan: Plan<Kind>) => Awaitable<Answer<Kind>>) => {
    const known = { statements: boundedCache<Prepared<Answer<Kind>>>(keptStatements, 262_144), kept }
    const otherwise = async (error: unknown, plan: Plan<Kind>): Promise<Answer<Kind>> => {
      if (!(error instanceof NotInSql)) throw toClientError(error)
      onUnknown(plan.model, error.message)
      return prisma.read(plan)
    }
    return (plan) => {
      try {
        const answer = run(query, plan, known, place)
        return isPromise(answer) ? answer.catch((error: unknown) => otherwise(error, plan)) : answer
      } catch (error) {
        return otherwise(error, plan)
      }
    }
  }
  const { version } = database
  const rows = readWith<'rows'>(rowsQuery)
  const ranked = readWith<'perParent'>(rankedQuery)
  const joined = readWith<'joined'>(joinedQuery)
  const rankedJoined = readWith<'joined'>(rankedJoinedQuery)
  return readerOf({
    rows,
    lookUp: lookUpWith(rows, place),
    perParent: (plan) => rowsOfEach(rows, ranked, plan),
    joined: (plan) => joinedOfEach(joined, rankedJoined, plan),
    count: readWith<'count'>(countQuery, version && !hasViews(resources) ? { version, totals } : null),
    countBy: readWith<'countBy'>(countByQuery),
    groups: readWith<'groups'>(groupsQuery),
    countThrough: readWith<'countThrough'>(countThroughQuery),
  })
}

// The rows of a view may come and go by the clock, when nobody has written anything.
const hasViews = ({ models }: Resources): boolean =>
  Object.values(models).some(({ operations }) => operations.every((operation) => operation === 'read'))

// To a server it is the number of queries that counts. A file is asked at once, in less time than a turn takes.
function lookUpWith(
  rows: (plan: RowsPlan) => Awaitable<readonly Row[]>,
  { database, catalog, dialect }: Place,
): (plan: LookUpPlan) => Awaitable<Row | null> {
  if (!database.batchesLookUps) return (plan) => after(rows(lookUpAsRows(plan)), ([row = null]) => row)
  return batchingLoader(
    async (plan) => rows(plan),
    (plan) => {
      const values: Bound[] = []
      return `${rowsQuery.key(plan, { catalog, dialect, terms: shape, values })}\n${textOfValues(values)}`
    },
  )
}

interface Place {
  readonly database: SqlDatabase
  readonly dialect: Dialect
  readonly catalog: Catalog
  readonly characters: number | undefined
}

interface Prepared<Answer> {
  readonly statement: Statement
  readonly slots: readonly number[]
  readonly read: (rows: readonly Stored[]) => Answer
}

/** Totals are asked for again and again, and grow with the table. */
interface Kept {
  readonly version: () => Awaitable<Version>
  readonly totals: CountCache<readonly Stored[]>
}

interface Known<Answer> {
  readonly statements: BoundedCache<Prepared<Answer>>
  readonly kept: Kept | null
}

function run<Plan extends Asked, Answer>(
  kind: QueryKind<Plan, Answer>,
  plan: Plan,
  { statements, kept }: Known<Answer>,
  place: Place,
): Awaitable<Answer> {
  const { catalog, dialect, characters } = place
  const values: Bound[] = []
  const key = kind.key(plan, { catalog, dialect, terms: shape, values })
  const { statement, slots, read } = statements.get(key, () => prepare(kind, plan, place))
  const ask = () =>
    statement.all(
      slots.map((slot) => values[slot] as Bound),
      isShort(plan) ? undefined : characters,
    )
  const rows = kept ? after(kept.version(), (now) => kept.totals.get(now, { key, values }, ask)) : ask()
  return isPromise(rows) ? rows.then(read) : read(rows)
}

/** To count the text of rows one by one takes its time, and of a short list there is an end to it. */
const isShort = ({ kind, take = null }: Asked): boolean =>
  kind.startsWith('count') || (kind === 'rows' && take !== null && take <= shortList)

const shortList = 101

interface Asked {
  readonly kind: PlanKind
  readonly take?: number | null
}

function prepare<Plan, Answer>(kind: QueryKind<Plan, Answer>, plan: Plan, place: Place): Prepared<Answer> {
  const { database, dialect, catalog } = place
  const query = kind.query(plan, { catalog, dialect, terms: sqlTerms(catalog, dialect), values: [] })
  const { text, slots } = compileSql(query.sql, dialect)
  return { statement: database.prepare(text), slots, read: query.read }
}
