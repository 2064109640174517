import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Clients } from '@prismapi/core/database/store'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { postgresConnection, sqliteConnection } from '@prismapi/proof/confirm/connections'
import { openScratch } from '@prismapi/proof/confirm/scratch'
import { Prover } from '@prismapi/proof/prover'
import { postgresClients } from '@prismapi/sql/postgres'
import { sqliteClients } from '@prismapi/sql/sqlite'
import Sqlite from 'better-sqlite3'
import Koa from 'koa'
import pg from 'pg'
import { createApi } from 'prismapi'
import { mediaType, origin } from '../../api.ts'
import { newRun } from '../../databases/run-name.ts'
import { postgresUrl } from '../../postgres.ts'
import { inProcess, type WorldProvider } from './in-process-client.ts'
import { callers, type RandomApplication, randomRows, userType, type WorldUser } from './random-application.ts'
import type { Snapshot, Walkable, WorldRow } from './walk.ts'

/** A random application that is served, with what is proven of it. */
export interface World extends Walkable<WorldUser | null> {
  close(): Promise<void>
}

interface WorldDatabase {
  readonly clients: Clients
  all(sql: string): Promise<readonly WorldRow[]>
  /** Has these rows from now on, and no others. */
  fill(rows: Snapshot): Promise<void>
  close(): Promise<void>
}

const quietly = { debug() {}, info() {}, warn() {} }

export async function openWorld(application: RandomApplication, provider: WorldProvider): Promise<World> {
  const { schema, tables, parts, policies } = application
  const { resources, PrismaClient } = inProcess(schema, provider)
  const database = await databases[provider]((adapter) => new PrismaClient({ adapter }), tables)
  const failed: unknown[] = []
  const api = createApi({
    ...{ resources, clients: database.clients, servers: [parts], policies, baseUrl: origin, production: false },
    logger: { ...quietly, error: (fields: object) => void failed.push((fields as { err?: unknown }).err) },
    authenticate: ((ctx: { get(name: string): string }) => callers[Number(ctx.get('X-Caller'))] ?? null) as never,
  })
  const [server] = api.servers as unknown as readonly [CompiledServer]
  const app = createServer(new Koa().use(api.middleware()).use(api.notFound()).callback())
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(app.address() as AddressInfo).port}/api/v1`
  const prover = new Prover({
    ...{ resources, servers: [server], userType },
    openScratch: async () => openScratch(await connections[provider](), resources),
  })
  const start = randomRows(application)
  const storedValue = (value: unknown, { type }: ColumnMeta) => {
    if (type === 'Boolean') return Boolean(value)
    return type === 'DateTime' && value !== null ? new Date(value as string) : value
  }
  const world: World = {
    ...{ prover, server, callers },
    async ask({ method, path: at, body, ext }, user) {
      const type = ext === undefined ? mediaType : `${mediaType};ext="${ext}"`
      const headers = { Accept: type, 'Content-Type': type, 'X-Caller': String(callers.indexOf(user)) }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const { status } = await fetch(base + at, { method, headers, ...sent })
      if (status < 500) return status
      throw new Error(`${method} ${at} ${JSON.stringify(body)} answered ${status}`, { cause: failed.splice(0)[0] })
    },
    async rows() {
      const found = new Map<string, readonly WorldRow[]>()
      for (const { name, columns } of Object.values(resources.models)) {
        const rows = await database.all(`SELECT * FROM "${name}"`)
        const told = (row: WorldRow) =>
          Object.fromEntries(
            Object.values(columns).map((column) => [column.name, storedValue(row[column.name], column)]),
          )
        found.set(name, rows.map(told))
      }
      return found
    },
    reset: () => database.fill(start),
    async close() {
      app.closeAllConnections()
      await new Promise((done) => app.close(done))
      await prover.close()
      await database.close()
    },
  }
  await world.reset()
  return world
}

const connections = {
  sqlite: sqliteConnection,
  async postgresql() {
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 1 })
    const connection = await postgresConnection(pool)
    return {
      ...connection,
      async close() {
        await connection.close()
        await pool.end()
      },
    }
  },
}

type MakeClient = (adapter: unknown) => unknown

type OpenDatabase = (make: MakeClient, tables: readonly string[]) => Promise<WorldDatabase>

const databases: Readonly<Record<WorldProvider, OpenDatabase>> = {
  async sqlite(make, tables) {
    const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-world-'))
    const file = path.join(folder, 'world.db')
    const beside = new Sqlite(file)
    beside.exec(tables.join(';'))
    // Nobody waits for its disk.
    beside.pragma('synchronous = OFF')
    const { close, ...clients } = await sqliteClients(make as never, `file:${file}`)
    return {
      clients: clients as unknown as Clients,
      all: async (sql) => beside.prepare(sql).all() as readonly WorldRow[],
      async fill(rows) {
        beside.pragma('foreign_keys = OFF')
        beside.exec(
          `BEGIN IMMEDIATE;${insertsOf(rows, (value) => (value === true ? '1' : value === false ? '0' : null))};COMMIT`,
        )
        beside.pragma('foreign_keys = ON')
      },
      async close() {
        await close()
        beside.close()
        rmSync(folder, { recursive: true })
      },
    }
  },

  async postgresql(make, tables) {
    const name = newRun()
    const client = new pg.Client({ connectionString: postgresUrl })
    await client.connect()
    await client.query(`CREATE SCHEMA "${name}"; SET search_path TO "${name}"; ${tables.join(';')}`)
    const url = new URL(postgresUrl)
    url.searchParams.set('schema', name)
    const { close, ...clients } = await postgresClients(make as never, url.href)
    return {
      clients: clients as unknown as Clients,
      all: async (sql) => (await client.query<WorldRow>(sql)).rows,
      async fill(rows) {
        // Foreign keys are not looked at for a replica.
        await client.query(
          `BEGIN; SET LOCAL session_replication_role = 'replica'; ${insertsOf(rows, () => null)}; COMMIT`,
        )
      },
      async close() {
        await close()
        await client.query(`DROP SCHEMA "${name}" CASCADE`)
        await client.end()
      },
    }
  },
}

/** In the place of all that is there. */
function insertsOf(rows: Snapshot, literal: (value: unknown) => string | null): string {
  const shown = (value: unknown) =>
    literal(value) ?? (value === null ? 'NULL' : typeof value === 'string' ? `'${value}'` : String(value))
  return [...rows]
    .flatMap(([name, of]) => [
      `DELETE FROM "${name}"`,
      ...of.map(
        (row) =>
          `INSERT INTO "${name}" (${Object.keys(row).map((each) => `"${each}"`)}) VALUES (${Object.values(row).map(shown)})`,
      ),
    ])
    .join(';')
}
