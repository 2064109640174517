import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type PostgresOptions, postgresClients } from '@prismapi/sql/postgres'
import pg from 'pg'
import { type ApiOptions, type Resources, Schema, type Serving } from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import type { Limits } from 'prismapi/types'
import { type Generated, generateIn, push } from '../any-schema/generate.ts'
import { openServer } from '../open-server.ts'
import { inPostgres, postgresUrl, withDatabase } from '../postgres.ts'
import { type Running, startServers } from '../servers.ts'
import { thingsSchema } from './schema.ts'

export type Things = Awaited<ReturnType<typeof openThings>>

class Everything extends Schema {
  override pagination() {
    return null
  }
  override actions() {
    return [
      this.action('touch', { method: 'PUT', handle: ({ row }) => row as never }),
      this.action('look', { method: 'GET', handle: ({ row }) => row as never }),
    ]
  }
}

class Paged extends Schema {
  override pagination() {
    return new CursorProfilePagination()
  }
}

/** What writes `Thing`s are filled with, in the place of what a client may send: the database alone can refuse it. */
type Fill = (db: {
  $executeRawUnsafe(sql: string): Promise<unknown>
  $queryRawUnsafe<T>(sql: string): Promise<T[]>
}) => Promise<object> | object

/** What an application may ask of a Prisma client. */
export interface AskingClient {
  $queryRawUnsafe(sql: string): Promise<unknown>
  $transaction<T>(work: (tx: AskingClient) => Promise<T>): Promise<T>
}

/** What a server of it has of its own. */
interface Own extends PostgresOptions {
  readonly limits?: Partial<Limits>
  readonly reads?: 'auto' | 'prisma'
  readonly transactions?: ApiOptions['transactions']
  /** Asked who asks, with the server's own Prisma client. */
  readonly authenticate?: (prisma: AskingClient) => Promise<null>
}

/** A database with the tables of `thingsSchema` on that server, and what serves it at `/api/things`. */
export async function openThings(on = postgresUrl) {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-things-'))
  const generated = await generateIn(path.join(folder, 'prisma'), thingsSchema)
  const name = `prismapi_things_${path.basename(folder).slice(-6).toLowerCase()}`
  const administer = (sql: string) => inPostgres(on, (client) => client.query(sql))
  await administer(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  const url = withDatabase(on, name)
  await push(generated.schemaFile, url)
  const filling: { by: Fill } = { by: () => ({}) }
  const running: (() => Promise<void>)[] = []
  return {
    url,
    /** Runs SQL beside the server. */
    execute: async (sql: string) =>
      (await inPostgres(url, (client) => client.query({ text: sql, rowMode: 'array' }))).rows,
    /** From now on, writes of things are filled by this. */
    fill(by: Fill) {
      filling.by = by
    },
    /** Serves it through that URL, the database's own left out. */
    async serve(through = url, own: Own = {}) {
      const server = await serve(generated, { url: through, own, filling })
      running.push(server.close)
      return server
    },
    async close() {
      for (const stop of running) await stop()
      await administer(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`)
      rmSync(folder, { recursive: true })
    },
  }
}

async function serve(
  { resources, PrismaClient }: Generated,
  { url, own, filling }: { readonly url: string; readonly own: Own; readonly filling: { readonly by: Fill } },
) {
  const { limits = {}, reads = 'auto', authenticate, transactions, ...options } = own
  const clients = await postgresClients((adapter) => new PrismaClient({ adapter }), url, options)
  const serving = (phase: Serving) => {
    phase.saving('Thing' as never, ((_: object, { db }: { db: Parameters<Fill>[0] }) => filling.by(db)) as never)
  }
  const running: Running = await startServers(clients as never, {
    resources: resources as Resources,
    policies: new Map(),
    ...(transactions && { transactions }),
    ...(authenticate && { authenticate: () => authenticate(clients.reader as never) }),
    servers: [
      openServer(
        'things',
        { Box: Everything, Thing: Everything, Listed: Everything, Priced: Everything, Moment: Paged } as never,
        {
          limits,
          serving,
          reads,
        },
      ),
    ],
  })
  return {
    ask: (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      running.as(null)(method, `/api/things${path}`, { headers, ...(body === undefined ? {} : { body }) }),
    create: (attributes: object = {}, more: object = {}) =>
      running.as(null)('POST', '/api/things/things', { body: { data: { type: 'things', attributes, ...more } } }),
    logs: running.logs,
    clients,
    at: running.at,
    async close() {
      await running.close()
      await clients.close()
    },
  }
}
