import type { Bound, SqlDatabase, SqlTransaction, Stored } from '@prismapi/core/database/sql-database'
import { boundedCache } from '@prismapi/jsonapi/model/memo'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { SqlContext } from '../clauses/terms.ts'
import { NotInSql } from '../codecs/codec.ts'
import {
  type CompiledQuery,
  compileQuery,
  contextForPlan,
  instantsOfRows,
  type QueryKind,
  shapeOf,
  sqlContext,
} from '../compile-query.ts'

/** Scopes may have many shapes, so the statements that are kept have an end. */
const keptStatements = 500

export interface StatementsParts {
  readonly database: Pick<SqlDatabase, 'provider' | 'schema' | 'instants' | 'instantsIn'>
  readonly resources: Resources
  /** Is told the model of a write that Prisma does, and the part that is not known in SQL. */
  readonly onUnknown: (model: string, part: string) => void
}

/** A plan as a statement that writes. @throws {NotInSql} */
export type Compile<Plan, Answer> = (
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

export interface Asked<Plan, Answer> {
  readonly compile: Compile<Plan, Answer>
  readonly plan: Plan
  readonly model: string
}

/** Statements of one transaction. Null says that a plan is not known in SQL, and nothing was sent. */
export interface StatementsIn {
  ask<Plan, Answer>(asked: Asked<Plan, Answer>): Promise<Answer | null>
  /** Answers how many rows were written. */
  run<Plan, Answer>(asked: Asked<Plan, Answer>): Promise<number | null>
}
