import type { JoinRows } from '@prismapi/core/database/prisma/client'
import type { Bound, SqlDatabase, SqlTransaction, Stored } from '@prismapi/core/database/sql-database'
import type { RowWriter } from '@prismapi/core/database/store'
import { relatedNotFound } from '@prismapi/jsonapi/document/errors'
import { boundedCache } from '@prismapi/jsonapi/model/memo'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { SqlContext } from '../clauses/conditions.ts'
import {
  type CompiledQuery,
  compileQuery,
  contextForPlan,
  instantsOfRows,
  type QueryKind,
  shapeOf,
  sqlContext,
} from '../compile-query.ts'
import { NotInSql } from '../dialects/codec.ts'
import { insertQuery } from '../queries/insert-query.ts'
import { countLinksQuery, linkedQuery, linkQuery, linksAtOnce, unlinkQuery } from '../queries/link-queries.ts'
import { removeRowsQuery, updateRowsQuery } from '../queries/rows-queries.ts'

/** Scopes may have many shapes, so the statements that are kept have an end. */
const keptStatements = 500

interface StatementsParts {
  readonly database: Pick<SqlDatabase, 'provider' | 'schema' | 'instants' | 'instantsIn'>
  readonly resources: Resources
  /** Is told the model of a write that Prisma does, and the part that is not known in SQL. */
  readonly onUnknown: (model: string, part: string) => void
}

/** A plan as a statement that writes. @throws {NotInSql} */
type Compile<Plan, Answer> = (
  plan: Plan,
  model: string,
) => {
  readonly text: string
  readonly bound: readonly Bound[]
  readonly read: (rows: readonly Stored[]) => Answer
}

/** The statements by which transactions write: one for each shape, made at its first use. */
export class WritingStatements {
  private readonly context: SqlContext
  private readonly instantsOf: (model: string) => SqlContext['instantsIn']
  private readonly onUnknown: StatementsParts['onUnknown']

  constructor({ database, resources, onUnknown }: StatementsParts) {
    this.context = sqlContext(database, resources)
    this.instantsOf = instantsOfRows(database, resources)
    this.onUnknown = onUnknown
  }

  /**
   * `isLeft` tells plans that may leave rows with instants of unusual
   * spellings alone, so that an index finds the others.
   */
  compiledBy<Plan, Answer>(
    kind: QueryKind<Plan, Answer>,
    isLeft: (plan: Plan) => boolean = () => false,
  ): Compile<Plan, Answer> {
    const known = boundedCache<CompiledQuery<Answer>>(keptStatements, 262_144)
    return (plan, model) => {
      const instantsIn = isLeft(plan) ? this.context.instantsIn : this.instantsOf(model)
      const context = contextForPlan({ ...this.context, instantsIn })
      const { key, values } = shapeOf(kind, plan, context)
      const { text, slots, read } = known.get(key, () => compileQuery(kind, plan, context))
      return { text, read, bound: slots.map((slot) => values[slot] as Bound) }
    }
  }

  /** The same in a transaction. */
  in({ prepare }: Pick<SqlTransaction, 'prepare'>): StatementsIn {
    const sent = async <Plan, Answer, Sent>(
      { compile, plan, model }: Asked<Plan, Answer>,
      send: (query: ReturnType<Compile<Plan, Answer>>) => Promise<Sent>,
    ): Promise<Sent | null> => {
      const query = this.compiled(compile, plan, model)
      if (query === null) return null
      try {
        return await send(query)
      } catch (error) {
        // What the database refuses, is told with the model that was written, as Prisma Client tells it.
        if (error instanceof Error) Object.assign(error, { meta: { modelName: model } })
        throw error
      }
    }
    return {
      ask: (asked) => sent(asked, async ({ text, bound, read }) => read(await prepare(text).all(bound))),
      run: (asked) => sent(asked, ({ text, bound }) => prepare(text).run(bound)),
    }
  }

  private compiled<Plan, Answer>(compile: Compile<Plan, Answer>, plan: Plan, model: string) {
    try {
      return compile(plan, model)
    } catch (error) {
      if (!(error instanceof NotInSql)) throw error
      this.onUnknown(model, error.message)
      return null
    }
  }
}

interface Asked<Plan, Answer> {
  readonly compile: Compile<Plan, Answer>
  readonly plan: Plan
  readonly model: string
}

/** Statements of one transaction. Null says that a plan is not known in SQL, and nothing was sent. */
interface StatementsIn {
  ask<Plan, Answer>(asked: Asked<Plan, Answer>): Promise<Answer | null>
  /** Answers how many rows were written. */
  run<Plan, Answer>(asked: Asked<Plan, Answer>): Promise<number | null>
}

/** Writes rows by statements of a transaction, and what these do not know by Prisma Client. */
export function rowWriterIn(
  statements: WritingStatements,
  resources: Pick<Resources, 'emulatesRelations'>,
): (inside: StatementsIn, byPrisma: RowWriter) => RowWriter {
  const insert = statements.compiledBy(insertQuery)
  const update = statements.compiledBy(updateRowsQuery)
  const remove = statements.compiledBy(removeRowsQuery(resources), ({ most }) => most !== undefined)
  return ({ ask, run }, byPrisma) => ({
    async insert(row) {
      const { model, data, returning } = row
      const plan = { model: model.name, data, returning }
      return (await ask({ compile: insert, plan, model: model.name })) ?? byPrisma.insert(row)
    },
    update: async (change) =>
      (await run({ compile: update, plan: change, model: change.model.name })) ?? byPrisma.update(change),
    remove: async (removal) =>
      (await run({ compile: remove, plan: removal, model: removal.model.name })) ?? byPrisma.remove(removal),
  })
}

/** Changes rows of join tables by statements of a transaction, and what these do not know by Prisma Client. */
export function joinRowsIn(statements: WritingStatements): (inside: StatementsIn, byPrisma: JoinRows) => JoinRows {
  const link = statements.compiledBy(linkQuery)
  const unlink = statements.compiledBy(unlinkQuery)
  const count = statements.compiledBy(countLinksQuery)
  const linked = statements.compiledBy(linkedQuery)
  return ({ ask, run }, byPrisma) => ({
    async linked(of, onRead) {
      const model = of.model.name
      const read = (last: Row | null) => ask({ compile: linked, plan: { ...of, last }, model })
      return (await allPages(read, onRead)) ?? byPrisma.linked(of, onRead)
    },
    async link(of, targets) {
      const model = of.model.name
      for (const part of parts(targets)) {
        const plan = { ...of, targets: part }
        const made = await run({ compile: link, plan, model })
        if (made === null) return byPrisma.link(of, targets)
        if (made === part.length) continue
        // Those that were linked already are left out, and those that have gone since the document was checked.
        const there = await ask({ compile: count, plan, model })
        if (there !== null && there < part.length) throw relatedNotFound('/data')
      }
    },
    async unlink(of, targets) {
      for (const part of parts(targets)) {
        const ended = await run({ compile: unlink, plan: { ...of, targets: part }, model: of.model.name })
        if (ended === null) return byPrisma.unlink(of, targets)
      }
    },
  })
}

/** SQLite carries a statement about so many out in a few milliseconds. */
const targetsAtOnce = 1000

function* parts(targets: readonly Row[]): Generator<readonly Row[]> {
  for (let i = 0; i < targets.length; i += targetsAtOnce) yield targets.slice(i, i + targetsAtOnce)
}

async function allPages(
  read: (last: Row | null) => Promise<readonly Row[] | null>,
  onRead: ((links: number) => void) | undefined,
): Promise<readonly Row[] | null> {
  const found: Row[] = []
  for (let last: Row | null = null; ; last = found.at(-1) ?? null) {
    const page: readonly Row[] | null = await read(last)
    if (page === null) return null
    onRead?.(page.length)
    for (const row of page) found.push(row)
    if (page.length < linksAtOnce) return found
  }
}
