import type { Pool } from 'pg'
import type { Bound, SqlDatabase, Statement, Stored } from '../database.ts'

/** Each connection keeps the statements that have a name until it is closed, so names have an end. */
const mostNames = 500
/** A shape that nobody asks for again is not worth keeping. */
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
  const newName = (): string | null => (hasNames && names < mostNames ? `prismapi_${names++}` : null)

  const query = async (name: string | null, text: string, values: readonly Bound[]): Promise<readonly Stored[]> => {
    const config = { text, values: [...values], rowMode: 'array' as const, types: asText }
    const { rows } = await pool.query<unknown[]>(name === null ? config : { ...config, name })
    return rows
  }

  const prepare = (text: string): Statement => {
    let uses = 0
    let name: string | null = null
    return {
      async all(values) {
        onQuery?.(text)
        if (uses <= usesBeforeName && ++uses === usesBeforeName) name = newName()
        try {
          return await query(name, text, values)
        } catch (error) {
          if (name === null || (error as { code?: unknown }).code !== typesChanged) throw error
          // A migration changed the type of a column: the name stands for the old one as long as the connection lives.
          name = newName()
          return query(name, text, values)
        }
      },
    }
  }
  return { provider: 'postgresql', schema, batchesLookUps: true, prepare }
}

/** "cached plan must not change result type" */
const typesChanged = '0A000'

// The text that the server sends: codecs know the columns better than the driver knows their types.
const asText = { getTypeParser: () => (text: string) => text }
