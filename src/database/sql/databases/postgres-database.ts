import type { EventEmitter } from 'node:events'
import pg, { type Pool } from 'pg'
import { sessionSettings } from '../../session.ts'
import type { Settings } from '../../settings.ts'
import { signatureSettings } from '../../signature.ts'
import {
  type Beginning,
  type Bound,
  type SqlDatabase,
  type Statement,
  type Stored,
  TooMuchText,
  textIn,
} from '../database.ts'
import { QueryWithSettings } from './query-with-settings.ts'

/** Each connection keeps the statements that have a name until it is closed, so names have an end. */
const mostNames = 500
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
  const newName = (): string | null => (hasNames && names < mostNames ? `prismapi_${names++}` : null)

  const query = async (
    name: string | null,
    text: string,
    { values, characters, settings }: Asked,
  ): Promise<readonly Stored[]> => {
    const plain = { text, values: [...values], rowMode: 'array' as const, types: asText }
    const config = name === null ? plain : { ...plain, name }
    const newQuery = () =>
      settings.length > 0 ? new QueryWithSettings(config, { settings, hasNames }) : new pg.Query<unknown[]>(config)
    if (characters !== undefined) return readWithin(pool, newQuery(), characters)
    const { rows } = await pool.query<unknown[]>(settings.length > 0 ? (newQuery() as never) : config)
    return rows
  }

  const prepare = (text: string): Statement => {
    let uses = 0
    let name: string | null = null
    return {
      async all(values, characters, beginning = {}) {
        const asked = { values, characters, settings: settingsAt(beginning) }
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
  readonly settings: Settings
}

const settingsAt = ({ session, signature }: Beginning): Settings =>
  session || signature
    ? [...(session ? sessionSettings(session) : []), ...(signature ? signatureSettings(signature) : [])]
    : noSettings

const noSettings: Settings = []

/** Reads row by row. The connection of a statement with too much text is closed: the rest of it would come all the same. */
async function readWithin(
  pool: Pool,
  asked: pg.Submittable & EventEmitter,
  characters: number,
): Promise<readonly Stored[]> {
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
    const query = client.query(asked)
    query.on('row', (row: unknown) => {
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
    query.on('error', (error: Error) => {
      if (left >= 0) fail(error)
    })
  })
}

/** "cached plan must not change result type" */
const typesChanged = '0A000'

// The text that the server sends: codecs know the columns better than the driver knows their types.
const asText = { getTypeParser: () => (text: string) => text }
