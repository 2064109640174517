import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Koa from 'koa'
import { createApi, Server, type Serving } from 'prismapi'
import { postgresClients } from 'prismapi/postgres'
import { sqliteClients } from 'prismapi/sqlite'

// A server of videos that takes its time in each step of a write, so that a signal finds it in any of them. Its environment:
// DATABASE_URL.

const url = process.env.DATABASE_URL ?? ''
const isSqlite = url.startsWith('file:')
const generated = isSqlite ? '../../../prisma/generated' : '../../../prisma/generated/tests/postgresql'
const { PrismaClient } = await import(`${generated}/client/client.ts`)
const { resources } = await import(`${generated}/resources.ts`)
const clients = await (isSqlite ? sqliteClients : postgresClients)((adapter) => new PrismaClient({ adapter }), url)

class Videos extends Server {
  override readonly name = 'v1'
  override readonly models = ['Video'] as const
  override readonly idempotency = { leaseSeconds: 1 }

  override authorizable() {
    return false
  }

  override async serving(phase: Serving) {
    await pause(5)
    phase.creating('Video', () => pause(5))
    phase.created('Video', async (_row, { afterCommit }) => {
      await pause(5)
      afterCommit(() => pause(30))
    })
  }
}

const api = createApi({
  resources,
  clients,
  servers: [{ server: Videos, schemas: new Map(), authorizers: new Map(), requests: new Map() }],
  policies: new Map(),
  baseUrl: 'http://127.0.0.1',
  logger: { debug() {}, info() {}, warn() {}, error: console.error },
})
const server = createServer(new Koa().use(api.middleware()).callback())
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
