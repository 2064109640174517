import type { Bound, SqlDatabase, Stored } from '../database/sql/database.ts'
import type { Clients } from '../database/store.ts'
import type { Awaitable } from '../model/awaitable.ts'

/** Runs a statement, and tells its text, its values and what came of it. */
export type RunStatement = (
  sql: string,
  values: readonly Bound[],
  work: () => Awaitable<readonly Stored[]>,
) => Awaitable<readonly Stored[]>

/** The same clients, whose statements for reading are run by somebody. */
export function explainedClients(clients: Clients, runStatement: RunStatement): Clients {
  if (!('writer' in clients) || !clients.sql) return clients
  return { ...clients, sql: explainedDatabase(clients.sql, runStatement) }
}

// Whoever asks why gets statements of his own, run when he asks for them: nothing that is kept or shared with others.
const explainedDatabase = (
  { provider, schema, prepare, writer }: SqlDatabase,
  runStatement: RunStatement,
): SqlDatabase => ({
  provider,
  schema,
  ...(writer && { writer }),
  prepare(sql) {
    const statement = prepare(sql)
    return { all: (values, characters) => runStatement(sql, values, () => statement.all(values, characters)) }
  },
})
