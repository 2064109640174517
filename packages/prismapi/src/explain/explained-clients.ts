import type { Bound, SqlDatabase, Stored } from '@prismapi/core/database/sql-database'
import type { Clients } from '@prismapi/core/database/store'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'

/** Runs a statement, and tells its text, its values and what came of it. */
export type RunStatement = (
  sql: string,
  values: readonly Bound[],
  work: () => Awaitable<readonly Stored[]>,
) => Awaitable<readonly Stored[]>

/** The same clients, whose statements for reading are run by a function of the explanation. */
export function explainedClients(clients: Clients, runStatement: RunStatement): Clients {
  if (!('writer' in clients) || !clients.sql) return clients
  return { ...clients, sql: explainedDatabase(clients.sql, runStatement) }
}

// A request for an explanation prepares statements of its own and runs them at once: none are kept or shared.
const explainedDatabase = (
  { provider, schema, instants, prepare, writer }: SqlDatabase,
  runStatement: RunStatement,
): SqlDatabase => ({
  provider,
  schema,
  ...(instants && { instants }),
  ...(writer && { writer }),
  prepare(sql) {
    const statement = prepare(sql)
    return {
      all: (values, characters, session) => runStatement(sql, values, () => statement.all(values, characters, session)),
    }
  },
})
