import { type Settings, sessionSettings, signatureSettings } from '@prismapi/core/database/session'
import type {
  Beginning,
  Bound,
  SqlDatabase,
  SqlWriter,
  Statement,
  Stored,
  Version,
} from '@prismapi/core/database/sql-database'
import { boundedCache } from '@prismapi/jsonapi/model/memo'
import type { Pool } from 'pg'
import type { StatementsOn } from './postgres-transactions.ts'
import { RowsQuery, type StatementRequest } from './rows-query.ts'

/** A shape that no request asks for again is not worth keeping. */
const usesBeforeName = 2

interface PostgresParts {
  readonly pool: Pool
  readonly schema: string
  readonly onQuery: ((sql: string) => void) | undefined
  /** Whether statements get names; true unless it is said to be otherwise. */
  readonly hasNames?: boolean | undefined
}

/** The database of a pool. */
export interface PostgresDatabase extends SqlDatabase {
  /** The same statements, on one connection. */
  readonly statementsOn: StatementsOn
}

/** The texts of statements whose names are kept. */
const keptTexts = 1000

/** Statements on a pool's connections, each of which prepares those with a name once. */
export function postgresDatabase({ pool, schema, onQuery, hasNames = true }: PostgresParts): PostgresDatabase {
  let names = 0
  const newName = (): string | null => (hasNames ? `prismapi_${names++}` : null)
  const kept = boundedCache<Naming>(keptTexts, 1_048_576)
  const request = (naming: Naming, text: string, binding: Binding) =>
    new RowsQuery({ name: naming.name, text, keepsSettings: hasNames, ...binding })
  const begin = (naming: Naming, text: string) => {
    onQuery?.(text)
    if (naming.uses <= usesBeforeName && ++naming.uses === usesBeforeName) naming.name = newName()
  }
  /** A migration changed the type of a column: the name stands for the old one as long as the connection lives. */
  const isOutdated = (naming: Naming, error: unknown): boolean => {
    if (naming.name === null || (error as { code?: unknown }).code !== typesChanged) return false
    naming.name = newName()
    return true
  }
  const namingOf = (text: string): Naming => kept.get(text, () => ({ uses: 0, name: null }))

  const prepare = (text: string): Statement => {
    const naming = namingOf(text)
    const query = async (binding: Binding): Promise<readonly Stored[]> => {
      const { rows } = await pool.query<unknown[]>(request(naming, text, binding) as never)
      return rows
    }
    return {
      async all(values, characters, beginning = {}) {
        const binding = { values, characters, settings: settingsAt(beginning) }
        begin(naming, text)
        try {
          return await query(binding)
        } catch (error) {
          if (!isOutdated(naming, error)) throw error
          return query(binding)
        }
      },
    }
  }
  const statementsOn: StatementsOn = (ask) => (text) => {
    const naming = namingOf(text)
    const answer = async (values: readonly Bound[], characters?: number) => {
      begin(naming, text)
      try {
        return await ask(request(naming, text, { values, characters, settings: noSettings }))
      } catch (error) {
        // The transaction begins again, with the other name.
        if (isOutdated(naming, error)) throw Object.assign(error as Error, { code: serializationFailure })
        throw error
      }
    }
    return {
      all: async (values, characters) => (await answer(values, characters)).rows,
      run: async (values) => (await answer(values)).count,
    }
  }
  return { provider: 'postgresql', schema, batchesLookUps: true, prepare, statementsOn }
}

/** Under which name connections keep a statement; null for one that they do not keep. */
interface Naming {
  uses: number
  name: string | null
}

/** What a statement is asked with. */
type Binding = Pick<StatementRequest, 'values' | 'characters' | 'settings'>

const settingsAt = ({ session, signature }: Beginning): Settings =>
  session || signature
    ? [...(session ? sessionSettings(session) : []), ...(signature ? signatureSettings(signature) : [])]
    : noSettings

const noSettings: Settings = []

/** "cached plan must not change result type" */
const typesChanged = '0A000'
const serializationFailure = '40001'

/** Each statement is a transaction of its own, on whichever connection of the pool is free. */
export const postgresWriter = (
  client: object,
  database: Pick<SqlDatabase, 'prepare'>,
  begin: NonNullable<SqlWriter['begin']>,
): SqlWriter => ({
  client,
  begin,
  prepare(sql) {
    const statement = database.prepare(sql)
    return { run: async (values, beginning) => statement.all(values, undefined, beginning) }
  },
})

// While the snapshot text is equal, statements see equal rows. A standby omits running transactions, so we do not
// use its text.
const snapshot = 'select case when not pg_is_in_recovery() then pg_current_snapshot()::text end'
/** What speaks PostgreSQL's language need not have all of its functions. */
const noSuchFunction = '42883'

/**
 * Asks a primary whether any connection has committed: once for all requests that want to know
 * in one turn of the event loop. Where it cannot be said, the version is always another one.
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
