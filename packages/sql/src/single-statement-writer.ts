import { outcomeUnknown } from '@prismapi/core/database/prisma/database-errors'
import { refusalOf } from '@prismapi/core/database/prisma/refusals'
import type { Beginning, Bound, SqlDatabase, SqlWriter, WriteStatement } from '@prismapi/core/database/sql-database'
import type { SingleStatementWriter } from '@prismapi/core/database/store'
import { after } from '@prismapi/jsonapi/model/awaitable'
import { type BoundedCache, boundedCache } from '@prismapi/jsonapi/model/memo'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { foreignKeyOf } from './catalog.ts'
import type { SqlContext } from './clauses/conditions.ts'
import {
  type CompiledQuery,
  compileQuery,
  contextForPlan,
  instantsOfRows,
  type QueryKind,
  shapeOf,
  sqlContext,
} from './compile-query.ts'
import { NotInSql } from './dialects/codec.ts'
import { removeQuery, updateQuery } from './queries/change-queries.ts'
import { insertQuery } from './queries/insert-query.ts'

/** Scopes may have many shapes, so the statements that are kept have an end. */
const keptStatements = 500

interface SingleStatementWriterParts {
  readonly database: Pick<
    SqlDatabase,
    'provider' | 'schema' | 'instants' | 'instantsIn' | 'triggeredTables' | 'foreignKeys'
  >
  readonly writer: SqlWriter
  readonly resources: Resources
  /** Is told the model of a write for which one statement would not do, and why. */
  readonly onTransaction?: OnTransaction
}

type OnTransaction = (model: string, reason: string) => void

/** Writes as prepared statements: one for each shape, made at its first use. */
export function singleStatementWriter({
  database,
  writer,
  resources,
  onTransaction = () => {},
}: SingleStatementWriterParts): SingleStatementWriter {
  const { dialect, catalog } = sqlContext(database, resources)
  const instantsOf = instantsOfRows(database, resources)
  const writeWith = <Plan extends Written, Answer>(kind: QueryKind<Plan, Answer>) => {
    const statements = boundedCache<Prepared<Answer>>(keptStatements, 262_144)
    return (plan: Plan) => {
      const context = contextForPlan({ dialect, catalog, instantsIn: instantsOf(plan.model) })
      return run(kind, plan, {
        writer,
        statements,
        onTransaction: isUnread(plan) ? () => {} : onTransaction,
        ...context,
      })
    }
  }
  const changeWith = <Plan extends Written & { readonly row: Row }, Answer>(kind: QueryKind<Plan, Answer | false>) => {
    const change = writeWith(kind)
    return async (plan: Plan): Promise<Answer | null> => {
      const answer = await change(plan)
      if (answer === false && !isUnread(plan)) onTransaction(plan.model, 'the row is not what was read of it')
      return answer || null
    }
  }
  const remove = changeWith(removeQuery(resources))
  const catalogued = (model: string, asked: ReturnType<NonNullable<SqlDatabase['foreignKeys']>> | undefined) =>
    after(asked ?? null, (names) => {
      if (names === null && asked !== undefined) onTransaction(model, 'the catalogue cannot be read')
      return names
    })
  return {
    reasonAgainstInsert: null,
    returnsRows: (model) =>
      after(
        catalogued(model, database.triggeredTables?.()),
        (tables) => tables !== null && !tables.has(catalog.model(model).table),
      ),
    hasForeignKey: (model, relation) =>
      after(
        catalogued(model, database.foreignKeys?.()),
        (keys) => keys?.has(foreignKeyOf(catalog, model, relation)) ?? false,
      ),
    insert: writeWith(insertQuery),
    update: changeWith(updateQuery),
    remove: async (plan) => (await remove(plan)) ?? false,
    decline: onTransaction,
  }
}

interface Written extends Beginning {
  readonly model: string
  readonly row?: Row
}

/**
 * With an empty `row` the core only tries one statement. It reads the row
 * next and reports the reason then, so stay silent here.
 */
const isUnread = ({ row }: Written): boolean => row !== undefined && Object.keys(row).length === 0

/** What the plans of one kind are written with. */
interface Connection<Answer> extends SqlContext {
  readonly writer: SqlWriter
  readonly statements: BoundedCache<Prepared<Answer>>
  readonly onTransaction: OnTransaction
}

interface Prepared<Answer> extends CompiledQuery<Answer> {
  readonly statement: WriteStatement
}

async function run<Plan extends Written, Answer>(
  kind: QueryKind<Plan, Answer>,
  plan: Plan,
  connection: Connection<Answer>,
) {
  const written = await execute(kind, plan, connection)
  // What fails from here on has been written: it must not be written again.
  return written === null ? null : written.read(written.rows)
}

async function execute<Plan extends Written, Answer>(
  kind: QueryKind<Plan, Answer>,
  plan: Plan,
  connection: Connection<Answer>,
) {
  const { statements, onTransaction } = connection
  let isSent = false
  try {
    const { key, values } = shapeOf(kind, plan, connection)
    const { statement, slots, read } = statements.get(key, () => prepare(kind, plan, connection))
    const bound = slots.map((slot) => values[slot] as Bound)
    isSent = true
    const rows = await statement.run(bound, plan)
    if (rows) return { rows, read }
    onTransaction(plan.model, 'the connection is not free')
    return null
  } catch (error) {
    if (isSent && !hasDoneNothing(error, connection)) throw outcomeUnknown(error)
    onTransaction(plan.model, error instanceof NotInSql ? error.message : 'the database refused it')
    return null
  }
}

/**
 * After a lost connection or a timeout we do not know whether the database wrote.
 * Only an error code from the database proves it did not.
 */
function hasDoneNothing(error: unknown, { dialect }: SqlContext): boolean {
  if (refusalOf(error) === 'transient') return false
  // SQLite runs inside of this process: what its driver says comes from
  // no connection. It has no code for a value that it does not take.
  if (dialect.provider === 'sqlite' && (error instanceof TypeError || error instanceof RangeError)) return true
  return codeOfDatabase.test(String((error as { readonly code?: unknown }).code))
}

/** SQLite's name for an error, or SQLSTATE; the operating system has names of five letters, too. */
const codeOfDatabase = /^(SQLITE_\w+|(?!E[A-Z]{4}$)[\dA-Z]{5})$/

function prepare<Plan, Answer>(
  kind: QueryKind<Plan, Answer>,
  plan: Plan,
  connection: Connection<Answer>,
): Prepared<Answer> {
  const query = compileQuery(kind, plan, connection)
  return { ...query, statement: connection.writer.prepare(query.text) }
}
