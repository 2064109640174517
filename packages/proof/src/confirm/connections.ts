import type { Pool } from 'pg'
import type { ScratchConnection } from './scratch.ts'

/** A database in memory. */
export async function sqliteConnection(): Promise<ScratchConnection> {
  const { default: Sqlite } = await import('better-sqlite3')
  const connection = new Sqlite(':memory:')
  return {
    database: {
      provider: 'sqlite',
      schema: null,
      prepare(sql) {
        const statement = connection.prepare(sql).safeIntegers(false).raw()
        return { all: (values) => statement.all(...values) as unknown[][] }
      },
    },
    async run(sql, values = []) {
      connection.prepare(sql).run(...values)
    },
    async close() {
      connection.close()
    },
  }
}

/** A schema inside of a transaction that is never committed. */
export async function postgresConnection(pool: Pool): Promise<ScratchConnection> {
  const client = await pool.connect()
  const schema = `prismapi_proof_${process.pid}`
  await client.query('begin')
  await client.query(`create schema "${schema}"`)
  const asText = { getTypeParser: () => (text: string) => text }
  return {
    database: {
      provider: 'postgresql',
      schema,
      prepare: (text) => ({
        async all(values) {
          const { rows } = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array', types: asText })
          return rows
        },
      }),
    },
    async run(text, values = []) {
      await client.query(text, [...values])
    },
    async close() {
      await client.query('rollback')
      client.release()
    },
  }
}
