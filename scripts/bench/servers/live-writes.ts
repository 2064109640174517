import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { createApi, Policy, Schema, Server, type User } from 'prismapi'
import { postgresClients } from 'prismapi/postgres'
import { sqliteClients } from 'prismapi/sqlite'
import { PrismaClient, resources } from './database.ts'
import { isPostgres, origin } from './process.ts'

// The same server with the changes of its database logged and signed, logged alone, and neither: each on a database and a port of its own.

const caller: User = { id: 7, name: 'User 7', email: 'user7@example.com', role: 'MEMBER' }

class Posts extends Schema<'Post'> {}

class Anything extends Policy {
  override abilities({ can }: Parameters<Policy['abilities']>[0]) {
    can(this.reads)
    can(this.writes)
    can('create')
  }
}

type Adapter = NonNullable<ConstructorParameters<typeof PrismaClient>[0]['adapter']>
const makeClient = (adapter: Adapter) => new PrismaClient({ adapter })
const open = (database: string) =>
  isPostgres ? postgresClients(makeClient, database) : sqliteClients(makeClient, `file:${database}`)

/** Microseconds of CPU time that each request took, by server. */
const costs: { method: string | undefined; cpu: number }[][] = []

async function serve(database: string, live: boolean): Promise<number> {
  class Bench extends Server {
    override readonly name = 'bench'
    override readonly live = live
    override readonly viewEverywhere = true
  }
  const api = createApi({
    resources,
    clients: await open(database),
    servers: [{ server: Bench, schemas: new Map([['Post', Posts]]), authorizers: new Map(), requests: new Map() }],
    policies: new Map(Object.keys(resources.models).map((model) => [model, Anything])) as never,
    authenticate: () => caller,
    baseUrl: origin,
    cursorSecret: 'the secret of the benchmark',
    logger: { debug() {}, info() {}, warn: console.warn, error: console.error },
  })
  const handle = new Koa().use(api.middleware()).callback()
  const own: (typeof costs)[number] = []
  costs.push(own)
  const server = createServer((request, response) => {
    const before = process.cpuUsage()
    response.once('finish', () => {
      const { user, system } = process.cpuUsage(before)
      own.push({ method: request.method, cpu: user + system })
    })
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const [plain, logged, signed] = process.argv.slice(2) as [string, string, string]
const ports = [await serve(plain, false), await serve(logged, false), await serve(signed, true)]
process.send?.({ ports })
process.on('message', () => process.send?.({ costs: costs.map((own) => own.splice(0)) }))
process.on('disconnect', () => process.exit(0))
