import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { DatabaseKind } from './template.ts'

const templates = 'prismapi_template_'
const copies = 'prismapi_copy_'

/** Databases of a server, each made by `CREATE DATABASE … TEMPLATE`. The template stays from one run to the next. */
export function postgresDatabases(server: string): DatabaseKind {
  const execute = (sql: string) => inDatabase(server, (client) => client.query(sql))
  const drop = async (name: string) => void (await execute(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`))
  return {
    async prepare({ key, fill }) {
      const name = templates + key
      const { rows } = await execute(`SELECT 1 FROM pg_database WHERE datname = ${pg.escapeLiteral(name)}`)
      if (rows.length > 0) return
      await dropUnused(server, drop)
      const draft = newName()
      const url = withDatabase(server, draft)
      await execute(`CREATE DATABASE ${quoted(draft)}`)
      try {
        // A connection for each: no other connection may be in it when it is renamed, and a seed has its own.
        await fill(url, (sql) => inDatabase(url, (client) => client.query(sql)))
        await execute(`COMMENT ON DATABASE ${quoted(draft)} IS '${Date.now()}'`)
        // Of several processes that make it at the same time, each finds a whole one.
        await execute(`ALTER DATABASE ${quoted(draft)} RENAME TO ${quoted(name)}`).catch(unlessThere)
      } finally {
        await drop(draft)
      }
    },

    async copy({ key }) {
      const name = newName()
      await execute(`CREATE DATABASE ${quoted(name)} TEMPLATE ${quoted(templates + key)}`)
      return { url: withDatabase(server, name), drop: () => drop(name) }
    },
  }
}

const newName = (): string => `${copies}${Date.now()}_${randomUUID().slice(0, 8)}`
const quoted = (name: string): string => pg.escapeIdentifier(name)

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function inDatabase<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

// The server looks for the name first, and says the second where another takes it in between.
const alreadyThere = ['42P04' /* duplicate_database */, '23505' /* unique_violation */]

function unlessThere(error: { readonly code?: string }): void {
  if (!alreadyThere.includes(error.code ?? '')) throw error
}

const hour = 3_600_000
const week = 7 * 24 * hour

/** Copies of runs that were killed, and templates of migrations that have changed since. */
async function dropUnused(server: string, drop: (name: string) => Promise<void>): Promise<void> {
  const all = "SELECT datname AS name, shobj_description(oid, 'pg_database') AS made FROM pg_database"
  const { rows } = await inDatabase(server, (client) => client.query(all))
  for (const { name, made } of rows as { name: string; made: string | null }[]) {
    const [, started] = new RegExp(`^${copies}(\\d+)_`).exec(name) ?? []
    if (started && Number(started) < Date.now() - 2 * hour) await drop(name)
    if (name.startsWith(templates) && made && Number(made) < Date.now() - week) await drop(name)
  }
}
