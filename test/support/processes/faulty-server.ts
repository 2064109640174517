import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { createApi, onClientError, Schema, Server, type Serving } from 'prismapi'
import { gracefulShutdown } from 'prismapi/node'
import { sqliteClients } from 'prismapi/sqlite'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { resources } from '../../../prisma/generated/resources.ts'

// A server of tags whose URLs say what goes wrong: ?fault=throws. Its environment: DATABASE_URL, GRACE_MILLISECONDS, CLOSES.

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const faults: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error('It throws')
  },
  rejects: async () => {
    throw new Error('It rejects')
  },
  forgotten: () => void Promise.reject(new Error('Nobody waits for it')),
  later: () =>
    void setTimeout(() => {
      throw new Error('Nobody can catch it')
    }, 10),
  slow: () => pause(2000),
}

class Tags extends Schema<'Tag'> {
  override fields() {
    return [
      this.attribute('shout').computed(['name'], ({ name }) => {
        if (name === 'unspeakable') throw new Error('It cannot be shown')
        return name.toUpperCase()
      }),
    ]
  }
}

class Faulty extends Server {
  override readonly name = 'v1'
  override readonly models = ['Tag'] as const
  override readonly ignoresUnknownParameters = true

  override authorizable() {
    return false
  }

  override serving(phase: Serving) {
    const fault = async () => void (await faults[phase.url.searchParams.get('fault') ?? '']?.())
    phase.reading('Tag', fault)
    phase.created('Tag', fault)
  }
}

const log = (level: string) => (fields: object, message: string) => {
  const { err } = fields as { err?: Error }
  console.error(JSON.stringify({ level, message, ...(err && { err: err.message }) }))
}
const logger = { debug: () => {}, info: log('info'), warn: log('warn'), error: log('error'), fatal: log('fatal') }
const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), process.env.DATABASE_URL ?? '')
const api = createApi({
  resources,
  clients,
  servers: [{ server: Faulty, schemas: new Map([['Tag', Tags]]), authorizers: new Map(), requests: new Map() }],
  policies: new Map(),
  baseUrl: 'http://127.0.0.1',
  cursorSecret: 'a secret of the tests',
  // Its hooks are slow on purpose.
  transactions: { holdMilliseconds: 10_000 },
  logger,
})
const server = createServer(new Koa().use(api.middleware()).use(api.notFound()).callback())
server.on('clientError', onClientError)
gracefulShutdown(server, {
  logger,
  graceMilliseconds: Number(process.env.GRACE_MILLISECONDS ?? 5000),
  async close() {
    if (process.env.CLOSES === 'never') await new Promise(() => {})
    await clients.close()
    console.log('closed')
  },
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
