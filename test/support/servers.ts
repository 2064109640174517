import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { TableName } from '@prismapi/core/database/sql-database'
import Koa, { type Middleware } from 'koa'
import { type ApiOptions, createApi, discover, type PrismApi } from 'prismapi'
import type { Discovered, ServerParts } from 'prismapi/types'
import { afterAll, beforeAll } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { authenticator, signToken } from '../../src/app/auth.ts'
import { type Answer, keepAliveTimeout, mediaType, origin, type Send } from './api.ts'
import { openTestDatabase } from './database.ts'
import { guardedClients } from './guarded.ts'
import { noteUrl } from './readers/asked-urls.ts'

const authSecret = 'the secret of the tests, which is long enough'
const root = path.resolve(import.meta.dirname, '../..')

/** What a test has of its own; the rest is that of the example. */
export interface Parts
  extends Pick<ApiOptions, 'servers' | 'policies'>,
    Partial<
      Pick<
        ApiOptions,
        | 'clients'
        | 'resources'
        | 'services'
        | 'draining'
        | 'rateLimit'
        | 'transactions'
        | 'telemetry'
        | 'logger'
        | 'languages'
        | 'features'
        | 'keptAnswers'
        | 'sampleUsers'
      >
    > {
  readonly authenticate?: NonNullable<ApiOptions['authenticate']>
  readonly production?: boolean
  /** How many rows the database says that its tables have, by their names; left out, what it says itself. */
  readonly rows?: Readonly<Record<string, number>>
  /** Koa middleware that stands before the servers. */
  readonly before?: (api: PrismApi) => Middleware
}

/** An answer with the very text of its body. */
export interface TextAnswer extends Answer {
  readonly text: string
}

/** Asks as one caller; the path is the whole one, `/api/v1/posts`. */
export type Ask = (method: string, path: string, send?: Send) => Promise<TextAnswer>

interface Log {
  readonly level: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

export interface Running {
  readonly api: PrismApi
  readonly logs: Log[]
  /** Where they listen, without a path. */
  readonly at: string
  /** A caller with a token of that user; null for a guest. */
  as(userId: number | null): Ask
  close(): Promise<void>
}

export type Database = Awaited<ReturnType<typeof openTestDatabase>>

/** Servers over a database of the example, on a free port. */
export async function startServers(
  clients: Pick<Database, 'reader' | 'writer'>,
  { rows, ...parts }: Parts,
): Promise<Running> {
  const logs: Log[] = []
  const log = (level: string) => (fields: object, message: string) =>
    void logs.push({ level, fields: { ...fields }, message })
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const authenticate = authenticator(clients.reader, authSecret)
  const given = { resources, clients, baseUrl: origin, authenticate, logger, cursorSecret: authSecret }
  const guarded = parts.clients ? null : await guardedClients({ ...given, ...parts }, clients)
  const served = guarded ?? clients
  const api = createApi({ ...given, clients: rows ? saying(rows, served) : served, ...parts })
  const koa = new Koa()
  if (parts.before) koa.use(parts.before(api))
  const { at, close } = await listen(koa.use(api.middleware()).use(api.notFound()).callback())
  return {
    api,
    logs,
    at,
    as: asking(at),
    async close() {
      await close()
      await guarded?.close()
    },
  }
}

/** The same clients, whose database says that its tables have so many rows, and nothing of what is in them. */
function saying(rows: Readonly<Record<string, number>>, clients: ApiOptions['clients']): ApiOptions['clients'] {
  if (!('writer' in clients && clients.sql)) return clients
  const sizeOf = (count: number | undefined) => (count === undefined ? null : { rows: count, most: [], octets: [] })
  const sizes = async (tables: readonly TableName[]) => tables.map(({ table }) => sizeOf(rows[table]))
  return { ...clients, sql: { ...clients.sql, sizes } }
}

/** On a free port. */
export async function listen(handle: RequestListener): Promise<Pick<Running, 'at' | 'close'>> {
  const server = createServer({ keepAliveTimeout }, handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    at: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Callers of what listens at an address. */
export const asking =
  (at: string): Running['as'] =>
  (userId) => {
    const token = userId === null ? null : signToken(userId, authSecret)
    return async (method, url, send = {}) => {
      noteUrl(method, url)
      return toAnswer(await ask(method, at + url, { send, token: await token }))
    }
  }

function ask(method: string, url: string, { send, token }: { send: Send; token: string | null }): Promise<Response> {
  const { body } = send
  const headers = {
    Accept: mediaType,
    ...(body !== undefined && { 'Content-Type': mediaType }),
    ...(token !== null && { Authorization: `Bearer ${token}` }),
    ...send.headers,
  }
  return fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

const isPage = (headers: Headers): boolean => headers.get('Content-Type')?.startsWith('text/') ?? false

async function toAnswer(response: Response): Promise<TextAnswer> {
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text, body: text === '' || isPage(headers) ? undefined : JSON.parse(text) }
}

/** Servers for the tests of one file, over a seeded database of their own. */
export function useServers(makeParts: () => Parts | Promise<Parts>) {
  let database: Database
  let running: Running
  beforeAll(async () => {
    database = await openTestDatabase()
    running = await startServers(database, await makeParts())
  })
  afterAll(async () => {
    await running.close()
    await database.close()
  })
  return {
    as: (userId: number | null): Ask => running.as(userId),
    /** What the application has of it in its own process. */
    get api() {
      return running.api
    },
    /** The SQL that a piece of work makes the servers issue. */
    queriesOf: (work: () => Promise<unknown>) => database.queriesOf(work),
    get logs() {
      return running.logs
    },
    /** Where they listen, without a path. */
    get at() {
      return running.at
    },
    get db() {
      return database.writer
    },
    /** What the application has opened for `createApi`. */
    get clients() {
      const { reader, writer } = database
      return { reader, writer }
    },
  }
}

/** The example's own policies and servers. */
export const theExample = (): Promise<Discovered> => discover({ root, resources })

/** The server of the example that has this class's name, with the class in its place. */
export async function exampleWith(server: ServerParts['server'], more: Partial<ServerParts> = {}): Promise<Parts> {
  const { policies, servers } = await theExample()
  const { name } = new server()
  const own = servers.find((each) => new each.server().name === name) as ServerParts
  return { policies, servers: [{ ...own, ...more, server }] }
}

/** A server class with nothing beside it. */
export const plain = (server: ServerParts['server'], more: Partial<ServerParts> = {}): ServerParts => ({
  server,
  schemas: new Map(),
  authorizers: new Map(),
  requests: new Map(),
  ...more,
})
