import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Koa from 'koa'
import { createApi, discover, type Limits, type ServerParts } from 'prismapi'
import { sqliteClients } from 'prismapi/sqlite'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { resources } from '../../../prisma/generated/resources.ts'
import type { CompiledServer } from '../../../src/server/compile.ts'
import { type Asked, urlOf } from '../../../test/support/price/random-queries.ts'
import { samplesOf } from '../../../test/support/price/samples.ts'

/** An answer, with what it cost. */
export interface Answer {
  readonly status: number
  readonly points: number
  /** Of the whole process, in milliseconds. */
  readonly cpu: number
}

export type Served = Awaited<ReturnType<typeof serve>>

/** The example in this process, on a SQLite file: the CPU time of threads beside the event loop is that of the process, too. */
export async function serve(file: string, limits: Partial<Limits>) {
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`, {
    inlineCost: Number.POSITIVE_INFINITY,
  })
  const found = await discover({ root: path.resolve(import.meta.dirname, '../../..'), resources })
  const servers = found.servers.map((parts) => ({ ...parts, server: limited(parts.server, limits) }))
  const silent = () => {}
  const logger = { debug: silent, info: silent, warn: silent, error: console.error }
  const own = { resources, clients, servers, policies: found.policies, production: false, logger }
  const api = createApi({ ...own, baseUrl: 'http://127.0.0.1', cursorSecret: 'a secret of the benchmark' })
  const http = createServer(new Koa().use(api.middleware()).use(api.notFound()).callback())
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    servers: api.servers,
    samplesOf: (server: CompiledServer) => samplesOf(server, clients.writer),
    ask: (server: CompiledServer, asked: Asked) => measured(origin + urlOf(server, asked)),
    async close() {
      http.closeAllConnections()
      http.close()
      await clients.close()
    },
  }
}

const limited = (Own: ServerParts['server'], limits: Partial<Limits>): ServerParts['server'] =>
  class extends Own {
    override readonly name = new Own().name
    override readonly limits = limits
  }

async function measured(url: string): Promise<Answer> {
  const began = process.cpuUsage()
  const { status, headers } = await answerOf(url)
  const { user, system } = process.cpuUsage(began)
  return { status, points: Number(headers['prismapi-cost']), cpu: (user + system) / 1000 }
}

/** The answer to a GET of a guest; its body is read to the end. */
export const answerOf = (url: string) =>
  new Promise<{ readonly status: number; readonly headers: Readonly<Record<string, unknown>> }>((resolve, reject) => {
    get(url, { agent: false, headers: { Accept: 'application/vnd.api+json', Prefer: 'cost' } }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    }).on('error', reject)
  })
