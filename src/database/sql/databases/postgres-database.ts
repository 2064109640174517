import type { Pool } from 'pg'
import { sessionSettings } from '../../session.ts'
import type { Settings } from '../../settings.ts'
import { signatureSettings } from '../../signature.ts'
import type { Beginning, SqlDatabase, Statement, Stored } from '../../sql-database.ts'
import { RowsQuery, type StatementRequest } from './rows-query.ts'

/** A shape that no request asks for again is not worth keeping. */
const usesBeforeName = 2

export interface PostgresParts {
  readonly pool: Pool
  readonly schema: string
  readonly onQuery: ((sql: string) => void) | undefined
  /** Whether statements get names; true unless it is said to be otherwise. */
  readonly hasNames?: boolean | undefined
}

/** Statements on a pool's connections, each of which prepares those with a name once. */
export function postgresDatabase({ pool, schema, onQuery, hasNames = true }: PostgresParts): SqlDatabase {
  let names = 0
  const newName = (): string | null => (hasNames ? `prismapi_${names++}` : null)

  const query = async (name: string | null, text: string, binding: Binding): Promise<readonly Stored[]> => {
    const { rows } = await pool.query<unknown[]>(new RowsQuery({ ...binding, name, text, hasNames }) as never)
    return rows
  }

  const prepare = (text: string): Statement => {
    let uses = 0
    let name: string | null = null
    return {
      async all(values, characters, beginning = {}) {
        const binding = { values, characters, settings: settingsAt(beginning) }
        onQuery?.(text)
        if (uses <= usesBeforeName && ++uses === usesBeforeName) name = newName()
        try {
          return await query(name, text, binding)
        } catch (error) {
          if (name === null || (error as { code?: unknown }).code !== typesChanged) throw error
          // A migration changed the type of a column: the name stands for the old one as long as the connection lives.
          name = newName()
          return query(name, text, binding)
        }
      },
    }
  }
  return { provider: 'postgresql', schema, batchesLookUps: true, prepare }
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
