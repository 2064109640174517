import type { Pool } from 'pg'
import type { Statement, Version } from '../../sql-database.ts'

// Which transactions have ended, and which have not: a statement sees the same rows wherever this is the same. What a
// standby says of it leaves out those that go on.
const snapshot = 'select case when not pg_is_in_recovery() then pg_current_snapshot()::text end'
/** What speaks PostgreSQL's language need not have all of its functions. */
const noSuchFunction = '42883'

/**
 * Asks a primary whether any connection has committed: once for all requests that want to know in one turn of the event loop. Where it
 * cannot be said, the version is always another one.
 */
export function postgresVersion(pool: Pool, prepare: (sql: string) => Statement): () => Promise<Version> {
  const statement = prepare(snapshot)
  let asked: Promise<Version> | null = null
  // A server that has taken over begins to count where it was left behind.
  let connections = 0
  pool.on('connect', () => connections++)
  let isKnown = true
  let unknown = 0
  const ask = async (): Promise<Version> => {
    if (!isKnown) return unknown++
    try {
      const [row] = await statement.all([])
      return typeof row?.[0] === 'string' ? `${connections} ${row[0]}` : unknown++
    } catch (error) {
      if ((error as { code?: unknown }).code !== noSuchFunction) throw error
      isKnown = false
      return unknown++
    }
  }
  return () => {
    if (asked) return asked
    asked = ask()
    process.nextTick(() => {
      asked = null
    })
    return asked
  }
}
