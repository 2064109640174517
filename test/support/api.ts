import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api, type Factories, factories } from '@prismapi/testing'
import type Koa from 'koa'
import { onClientError, serverOptions } from 'prismapi'
import { afterAll, beforeAll } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { type AppParts, createApp } from '../../src/app/app.ts'
import { signToken } from '../../src/app/auth.ts'
import { openTestDatabase } from './database.ts'
import { guardedExample } from './guarded.ts'
import { noteUrl } from './readers/asked-urls.ts'

export const mediaType = 'application/vnd.api+json'
export const origin = 'https://api.example.org'
/** A connection that waited must not be closed just when it is used again, however slow the machine is. */
export const keepAliveTimeout = 60_000
export const authSecret = 'the secret of the tests, which is long enough'

/** What came back. `body` is the parsed document, undefined where there is none. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly body: any
}

export interface Send {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type Method = (path: string, send?: Send) => Promise<Answer>

/** Asks the server as one caller. Paths are below `/api/v1` unless they begin with `/api`. */
export interface Caller {
  readonly get: Method
  readonly post: Method
  readonly patch: Method
  readonly delete: Method
  request(method: string, path: string, send?: Send): Promise<Answer>
}

export const users = { admin: 1, editor: 2, member3: 3, member4: 4, member5: 5, member6: 6 } as const

/** The example on a free port with a database of its own, for the tests of one file. */
export function useApi(own: Partial<AppParts> = {}) {
  const logs: { level: string; fields: object; message: string }[] = []
  const log = (level: string) => (fields: object, message: string) => void logs.push({ level, fields, message })
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  let app: Koa
  let server: Server
  let make: Factories
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  let guarded: Awaited<ReturnType<typeof guardedExample>> = null

  beforeAll(async () => {
    database = await openTestDatabase()
    const env = { authSecret, production: false }
    guarded = await guardedExample(database)
    app = await createApp({
      env,
      baseUrl: origin,
      clients: guarded ?? database,
      accounts: database.reader,
      logger,
      ...own,
    })
    make = factories(resources, database.writer)
    const patience = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout }
    server = createServer({ ...serverOptions, ...patience }, app.callback()).on('clientError', onClientError)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await client.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await guarded?.close()
    await database.close()
  })

  const url = (path: string) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}${path.startsWith('/api') ? path : `/api/v1${path}`}`
  const callerFor = (authorization: () => Promise<string | null>): Caller => {
    const request: Caller['request'] = async (method, path, { headers = {}, body } = {}) => {
      const token = await authorization()
      noteUrl(method, new URL(url(path)).pathname + new URL(url(path)).search)
      const response = await fetch(url(path), {
        method,
        headers: {
          Accept: mediaType,
          ...(body !== undefined && { 'Content-Type': mediaType }),
          ...(token !== null && { Authorization: token }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
    }
    const by =
      (method: string): Method =>
      (path, send) =>
        request(method, path, send)
    return { request, get: by('GET'), post: by('POST'), patch: by('PATCH'), delete: by('DELETE') }
  }

  const authorization = async (userId: number) => `Bearer ${await signToken(userId, authSecret)}`
  const signIn = async (userId: number) => ({ Authorization: await authorization(userId) })
  const client = api<number>(() => app, { base: '/api/v1', signIn })
  return {
    /** The client that applications test with: a guest, until it is told whom it asks as. */
    client,
    guest: callerFor(async () => null),
    /** A caller with a token of that user. */
    as: (userId: number): Caller => callerFor(() => authorization(userId)),
    /** The `Authorization` header of a user, for requests that no caller can make. */
    authorization,
    withHeader: (authorization: string): Caller => callerFor(async () => authorization),
    url,
    logs,
    /** The SQL that a piece of work makes the server issue. */
    queriesOf: (work: () => Promise<unknown>) => database.queriesOf(work),
    /** Factories of rows. */
    get make() {
      return make
    },
    /** The database itself, to arrange rows and to look at what was written. */
    get db() {
      return database.writer
    },
  }
}
