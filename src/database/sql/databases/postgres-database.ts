import pg, { type Pool } from 'pg'
import { type Bound, type SqlDatabase, type Statement, type Stored, TooMuchText, textIn } from '../database.ts'

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

  const query = async (
    name: string | null,
    text: string,
    { values, characters }: Asked,
  ): Promise<readonly Stored[]> => {
    const plain = { text, values: [...values], rowMode: 'array' as const, types: asText }
    const config = name === null ? plain : { ...plain, name }
    if (characters !== undefined) return readWithin(pool, config, characters)
    const { rows } = await pool.query<unknown[]>(config)
    return rows
  }

  const prepare = (text: string): Statement => {
    let uses = 0
    let name: string | null = null
    return {
      async all(values, characters) {
        const asked = { values, characters }
        onQuery?.(text)
        if (uses <= usesBeforeName && ++uses === usesBeforeName) name = newName()
        try {
          return await query(name, text, asked)
        } catch (error) {
          if (name === null || (error as { code?: unknown }).code !== typesChanged) throw error
          // A migration changed the type of a column: the name stands for the old one as long as the connection lives.
          name = newName()
          return query(name, text, asked)
        }
      },
    }
  }
  return { provider: 'postgresql', schema, batchesLookUps: true, prepare }
}

interface Asked {
  readonly values: readonly Bound[]
  readonly characters: number | undefined
}

/** Reads row by row. The connection of a statement with too much text is closed: the rest of it would come all the same. */
async function readWithin(pool: Pool, config: pg.QueryConfig, characters: number): Promise<readonly Stored[]> {
  const client = await pool.connect()
  // A connection that ends fails beside its query; without a listener that would end the process.
  const ignore = () => {}
  client.on('error', ignore)
  return new Promise((resolve, reject) => {
    const rows: Stored[] = []
    let left = characters
    const fail = (error: Error) => {
      client.release(true)
      reject(error)
    }
    const query = client.query(new pg.Query<Stored>(config))
    query.on('row', (row) => {
      const isOver = left < 0
      left -= textIn(row as Stored)
      if (left >= 0) rows.push(row as Stored)
      else if (!isOver) fail(new TooMuchText())
    })
    query.on('end', () => {
      if (left < 0) return
      client.off('error', ignore)
      client.release()
      resolve(rows)
    })
    query.on('error', (error) => {
      if (left >= 0) fail(error)
    })
  })
}

/** "cached plan must not change result type" */
const typesChanged = '0A000'

// The text that the server sends: codecs know the columns better than the driver knows their types.
const asText = { getTypeParser: () => (text: string) => text }
