import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { CompiledServer } from '@prismapi/core/server/compile'
import Koa from 'koa'
import { createApi, discover } from 'prismapi'
import { postgresClients } from 'prismapi/postgres'
import { sqliteClients } from 'prismapi/sqlite'
import type { Limits, ServerParts } from 'prismapi/types'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { resources } from '../../../prisma/generated/resources.ts'
import { authenticator, signToken } from '../../../src/app/auth.ts'
import { providerOf } from '../../../src/app/database-url.ts'
import { type Asked, urlOf } from '../../../test/support/price/random-queries.ts'
import { samplesOf } from '../../../test/support/price/samples.ts'

/** An answer, with what it cost. */
export interface Answer {
  readonly status: number
  readonly points: number
  /** Of the whole process, in milliseconds. */
  readonly cpu: number
}

/** Who asks: nobody who is signed in, or the member of the example who has half of everything in skewed rows. */
export type Caller = 'guest' | 'member'

/** The id of that member. */
export const busyMember = 3
/** What tokens are signed with. */
export const secret = 'a secret of the benchmark, which is long enough'

export type Served = Awaited<ReturnType<typeof serve>>

/** The example in this process: on SQLite, what threads would read beside the event loop is its CPU time, too. */
export async function serve(url: string, limits: Partial<Limits>) {
  const clients = await open(url)
  const found = await discover({ root: path.resolve(import.meta.dirname, '../../..'), resources })
  const servers = found.servers.map((parts) => ({ ...parts, server: limited(parts.server, limits) }))
  const silent = () => {}
  const logger = { debug: silent, info: silent, warn: silent, error: console.error }
  // What a read costs, and not what it costs the third time.
  const own = {
    resources,
    clients,
    servers,
    policies: found.policies,
    production: false,
    logger,
    keptAnswers: false as const,
  }
  const authenticate = authenticator(clients.reader, secret)
  const api = createApi({ ...own, authenticate, baseUrl: 'http://127.0.0.1', cursorSecret: secret })
  const http = createServer(new Koa().use(api.middleware()).use(api.notFound()).callback())
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    servers: api.servers,
    clients,
    samplesOf: (server: CompiledServer) => samplesOf(server, clients.writer),
    ask: (server: CompiledServer, asked: Asked, caller: Caller = 'guest') =>
      measured(origin + urlOf(server, asked), caller),
    async close() {
      http.closeAllConnections()
      http.close()
      await clients.close()
    },
  }
}

const makeClient = (adapter: ConstructorParameters<typeof PrismaClient>[0]['adapter'] & object) =>
  new PrismaClient({ adapter })

/** PostgreSQL has its own processes: what they take longer for says nothing of the event loop, and would keep the search waiting. */
const statementMilliseconds = 3000

const open = (url: string) =>
  providerOf(url) === 'sqlite'
    ? sqliteClients(makeClient, url, { inlineCost: Number.POSITIVE_INFINITY })
    : postgresClients(makeClient, url, { statementMilliseconds })

const limited = (Own: ServerParts['server'], limits: Partial<Limits>): ServerParts['server'] =>
  class extends Own {
    override readonly name = new Own().name
    override readonly limits = limits
  }

async function measured(url: string, caller: Caller): Promise<Answer> {
  const began = process.cpuUsage()
  const { status, headers } = await answerOf(url, { caller })
  const { user, system } = process.cpuUsage(began)
  return { status, points: Number(headers['prismapi-cost']), cpu: (user + system) / 1000 }
}

interface Sent {
  readonly method?: string
  readonly caller?: Caller
  readonly mediaType?: string
  readonly body?: string
}

/** The answer to a request; its body is read to the end. */
export async function answerOf(url: string, { method = 'GET', caller = 'guest', mediaType, body }: Sent = {}) {
  const type = mediaType ?? 'application/vnd.api+json'
  const token = caller === 'guest' ? {} : { Authorization: `Bearer ${await signToken(busyMember, secret)}` }
  const content = body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }
  return new Promise<{ readonly status: number; readonly headers: Readonly<Record<string, unknown>> }>(
    (resolve, reject) => {
      const headers = { Accept: type, Prefer: 'cost', ...token, ...content }
      request(url, { method, agent: false, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
      })
        .on('error', reject)
        .end(body)
    },
  )
}
