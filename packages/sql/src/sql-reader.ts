import { toClientError } from '@prismapi/core/database/prisma/database-errors'
import { firstJoined, firstOfEach } from '@prismapi/core/database/prisma/prisma-reader'
import {
  type Answer,
  type JoinedPlan,
  type JoinedRow,
  type LookUpPlan,
  lookUpAsRows,
  ofParents,
  type Parameter,
  type PerParentPlan,
  type Plan,
  type PlanKind,
  type Reader,
  type RowsPlan,
  readerOf,
  share,
  sharedOf,
} from '@prismapi/core/database/reader'
import { type Session, sessionText } from '@prismapi/core/database/session'
import type { Bound, SqlDatabase, Statement, Stored, Version } from '@prismapi/core/database/sql-database'
import { all } from '@prismapi/jsonapi/condition/build'
import { type Awaitable, after, isPromise } from '@prismapi/jsonapi/model/awaitable'
import { boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { batchingLoader } from './batching-loader.ts'
import type { SqlContext } from './clauses/conditions.ts'
import {
  type CompiledQuery,
  compileQuery,
  contextForPlan,
  hold,
  type QueryKind,
  questionText,
  type Shape,
  shapeOf,
  sqlContext,
} from './compile-query.ts'
import { NotInSql } from './dialects/codec.ts'
import type { Dialect } from './dialects/dialect.ts'
import { deepRows, Positions, sortedInTime } from './page-readers.ts'
import {
  countByQuery,
  countQuery,
  countThroughQuery,
  type VersionedCache,
  versionedCache,
} from './queries/count-queries.ts'
import { groupsQuery } from './queries/groups-query.ts'
import {
  joinedQuery,
  rankedJoinedQuery,
  rankedQuery,
  rowsByTextQuery,
  rowsQuery,
  type SliceByText,
  type SlicePlan,
  sliceByTextQuery,
} from './queries/level-query.ts'

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
  readonly totals?: VersionedCache<readonly Stored[]>
  /** The same of positions in long lists. */
  readonly positions?: Positions
  /** How many characters of text one statement may bring into memory; left out, any number. */
  readonly characters?: number
  /** Says it in another way than the database's provider does. */
  readonly dialect?: Dialect
}

/**
 * Executes plans as prepared statements: one for each shape of plan, made at its first use. What it does not know it
 * hands to Prisma's reader, whole, so that both always say the same.
 */
export const sqlReader = (parts: SqlReaderParts): Reader => sqlReaders(parts)(parts.database)

/**
 * The same for connections that come and go: what was compiled for one
 * serves all. Each may have a reader of Prisma's of its own.
 */
export function sqlReaders(parts: SqlReaderParts): (database: SqlDatabase, prisma?: Reader) => Reader {
  const { resources, onUnknown, totals = versionedCache(), positions = new Positions(), characters } = parts
  const context = sqlContext(parts.database, resources, parts.dialect)
  const kinds = {
    rows: compiledBy(rowsQuery, context),
    rowsByText: compiledBy(rowsByTextQuery, context),
    sliceByText: compiledBy(sliceByTextQuery, context),
    ranked: compiledBy(rankedQuery, context),
    joined: compiledBy(joinedQuery, context),
    rankedJoined: compiledBy(rankedJoinedQuery, context),
    count: compiledBy(countQuery, context),
    countBy: compiledBy(countByQuery, context),
    groups: compiledBy(groupsQuery, context),
    countThrough: compiledBy(countThroughQuery, context),
  }
  const keepsTotals = !hasViews(resources)

  return (database, prisma = parts.prisma) => {
    const connection = { database, statements: new WeakMap(), characters }
    const readWith = <Kind extends PlanKind>(
      compile: Compile<Plan<Kind>, Answer<Kind>>,
      kept: KeptTotals | null = null,
    ): ((plan: Plan<Kind>) => Awaitable<Answer<Kind>>) => {
      const readByPrisma = async (error: unknown, plan: Plan<Kind>): Promise<Answer<Kind>> => {
        if (!(error instanceof NotInSql)) throw toClientError(error)
        onUnknown(plan.model, error.message)
        return prisma.read(plan)
      }
      return (plan) => {
        try {
          const answer = run(compile, plan, connection, kept)
          return isPromise(answer) ? answer.catch((error: unknown) => readByPrisma(error, plan)) : answer
        } catch (error) {
          return readByPrisma(error, plan)
        }
      }
    }
    const sliceByText = (plan: SlicePlan): SliceByText | null => {
      try {
        const slice = run(kinds.sliceByText, plan, connection, null)
        return isPromise(slice) ? null : slice
      } catch {
        // What fails here does so as well where it is sorted.
        return null
      }
    }
    const { version } = database
    const kept = version && keepsTotals ? version : null
    const texts = { byText: readWith<'rows'>(kinds.rowsByText), sliceByText }
    const sorted = sortedInTime(readWith<'rows'>(kinds.rows), texts, context)
    const rows = deepRows(sorted, kept && { ...context, version: kept, positions })
    const ranked = readWith<'perParent'>(kinds.ranked)
    const joined = readWith<'joined'>(kinds.joined)
    const rankedJoined = readWith<'joined'>(kinds.rankedJoined)
    return readerOf({
      rows,
      lookUp: lookUpWith(rows, database, context),
      perParent: (plan) => rowsOfEach(rows, ranked, plan),
      joined: (plan) => joinedOfEach(joined, rankedJoined, plan),
      count: readWith<'count'>(kinds.count, kept && { version: kept, totals }),
      countBy: readWith<'countBy'>(kinds.countBy),
      groups: readWith<'groups'>(kinds.groups),
      countThrough: readWith<'countThrough'>(kinds.countThrough),
    })
  }
}

// The rows of a view may come and go by the clock, when no connection has written anything.
export const hasViews = ({ models }: Resources): boolean =>
  Object.values(models).some(({ operations }) => operations.every((operation) => operation === 'read'))

// To a server it is the number of queries that counts. A file is asked at once, in less time than a turn takes.
function lookUpWith(
  rows: (plan: RowsPlan) => Awaitable<readonly Row[]>,
  { batchesLookUps }: SqlDatabase,
  context: SqlContext,
): (plan: LookUpPlan) => Awaitable<Row | null> {
  if (!batchesLookUps) return (plan) => after(rows(lookUpAsRows(plan)), ([row = null]) => row)
  return batchingLoader(
    async (plan) => rows(plan),
    (plan) => questionText(rowsQuery, plan, context),
  )
}

type Compile<Plan, Answer> = (plan: Plan) => {
  readonly compiled: CompiledQuery<Answer>
  readonly key: string
  readonly values: readonly Bound[]
}

/** Compiles the plans of one kind, each shape once. */
function compiledBy<Plan extends object, Answer>(
  kind: QueryKind<Plan, Answer>,
  context: SqlContext,
): Compile<Plan, Answer> {
  const known = boundedCache<CompiledQuery<Answer>>(keptStatements, 262_144)
  const compileShape = (plan: Plan, parameters?: readonly Parameter[]) => {
    const now = contextForPlan(context)
    const shape = shapeOf(kind, plan, now, parameters)
    return { compiled: known.get(shape.key, () => compileQuery(kind, plan, now)), ...shape }
  }
  const ofForm = new WeakMap<object, ReturnType<typeof compileShape>>()
  return (plan) => {
    const shared = sharedOf(plan)
    if (!shared) return compileShape(plan)
    const { form, parameters } = shared
    const kept = ofForm.get(form)
    if (kept && hold(kept.instants, context)) return parameters.length === 0 ? kept : withValues(kept, parameters)
    const compiled = compileShape(plan, parameters)
    if (parameters.every((_, i) => compiled.places.some(({ parameter }) => parameter === i))) ofForm.set(form, compiled)
    return compiled
  }
}

/** The same statement with the values of another plan's parameters. */
function withValues<Kept extends Shape>(kept: Kept, parameters: readonly Parameter[]): Kept {
  const values = [...kept.values]
  for (const { slot, parameter, bind } of kept.places) values[slot] = bind(parameters[parameter] as Parameter)
  return { ...kept, values }
}

interface Connection {
  readonly database: SqlDatabase
  /** Those that the database has prepared, for as long as what they were compiled from is kept. */
  readonly statements: WeakMap<CompiledQuery<unknown>, Statement>
  readonly characters: number | undefined
}

/** Totals that are kept for a version of the database: they are asked for often, and cost more in a larger table. */
interface KeptTotals {
  readonly version: () => Awaitable<Version>
  readonly totals: VersionedCache<readonly Stored[]>
}

interface Asked {
  readonly kind: PlanKind
  readonly session?: Session
  readonly take?: number | null
}

function run<Plan extends Asked, Answer>(
  compile: Compile<Plan, Answer>,
  plan: Plan,
  { database, statements, characters }: Connection,
  kept: KeptTotals | null,
): Awaitable<Answer> {
  const { compiled, key, values } = compile(plan)
  const { text, slots, read } = compiled
  let statement = statements.get(compiled)
  if (!statement) {
    statement = database.prepare(text)
    statements.set(compiled, statement)
  }
  const bound = slots.map((slot) => values[slot] as Bound)
  const ask = () => statement.all(bound, needsNoTextLimit(plan) ? undefined : characters, plan)
  const rows = kept
    ? after(kept.version(), (now) => kept.totals.get(now, { key: sessionText(plan.session) + key, values }, ask))
    : ask()
  return isPromise(rows) ? rows.then(read) : read(rows)
}

/** To save time, do not measure the text of short lists and counts. */
const needsNoTextLimit = ({ kind, take = null }: Asked): boolean =>
  kind.startsWith('count') || (kind === 'rows' && take !== null && take <= shortList)

const shortList = 101

type Read<Plan, Answer> = (plan: Plan) => Awaitable<readonly Answer[]>

// Ranking the rows of each parent costs as much again as reading them. To avoid ranking, first read at most
// parents × take rows. If fewer come, we have all. If the limit is reached, read again with ranking.
// Small pages usually reach it, so rank them at once, except for a single parent.
const smallPage = 20

/** The first rows of each parent. */
async function rowsOfEach(
  read: Read<RowsPlan, Row>,
  readRanked: Read<PerParentPlan, Row>,
  plan: PerParentPlan,
): Promise<readonly Row[]> {
  const { parents, take, most, ...level } = plan
  const { columns, keys } = parents
  if (keys.length > 1 && take <= smallPage) return readRanked(plan)
  const limit = limitOf(keys, take, most)
  const where = all(level.where, ofParents(parents))
  const found = await read(ofLimited(plan, { ...level, kind: 'rows', where, skip: 0, take: limit }))
  if (found.length <= take) return found
  return found.length === limit ? readRanked(plan) : firstOfEach(found, columns, take)
}

/** The first rows behind each parent's many-to-many. */
async function joinedOfEach(
  read: Read<JoinedPlan, JoinedRow>,
  readRanked: Read<JoinedPlan, JoinedRow>,
  plan: JoinedPlan,
): Promise<readonly JoinedRow[]> {
  const { through, take, most } = plan
  const { parents } = through
  if (parents.length > 1 && take <= smallPage) return readRanked(plan)
  const limit = limitOf(parents, take, most)
  const found = await read(ofLimited(plan, { ...plan, take: limit }))
  if (found.length <= take) return found
  return found.length === limit ? readRanked(plan) : firstJoined(found, take)
}

/** What is read of a plan with another end, which the plan's form decides. */
function ofLimited<Read extends RowsPlan | JoinedPlan>(plan: PerParentPlan | JoinedPlan, read: Read): Read {
  const shared = sharedOf(plan)
  return shared ? share(read, { ...shared, form: limitedForms(shared.form) }) : read
}

const limitedForms = memo((_: object) => ({}))

const limitOf = (parents: readonly unknown[], take: number, most = 2 ** 31 - 1): number =>
  Math.min(parents.length * take, most)
