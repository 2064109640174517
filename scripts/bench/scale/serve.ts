import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Koa from 'koa'
import { createApi, type Resources, Server } from 'prismapi'
import { sqliteClients } from 'prismapi/sqlite'

/** What the server says when it listens, and whenever it is asked for its costs. */
export interface ServerState {
  readonly port: number
  /** Since the process began. */
  readonly bootMs: number
  /** Of the process, since it began. */
  readonly cpuMicros: number
  /** After the garbage was collected, where it was asked for at rest. */
  readonly memoryMiB: number
}

class V1 extends Server {
  override readonly name = 'v1'
  override authorizable() {
    return false
  }
}

/** Serves the application in a folder; each message from the parent is a question for its state. */
export async function serve(folder: string): Promise<void> {
  const generated = (file: string) => import(pathToFileURL(path.join(folder, 'prisma/generated', file)).href)
  const { resources } = (await generated('resources.ts')) as { resources: Resources }
  const { PrismaClient } = await generated('client/client.ts')
  const url = `file:${path.join(folder, 'prisma/scale.db')}`
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }) as never, url)
  const none = new Map<string, never>()
  const v1 = { server: V1, schemas: none, authorizers: none, requests: none }
  const logger = { debug() {}, info() {}, warn() {}, error: console.error }
  const api = createApi({
    ...{ resources, clients, logger, servers: [v1], policies: none },
    baseUrl: 'http://127.0.0.1',
  })
  const server = createServer(new Koa().use(api.middleware()).callback())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const bootMs = performance.now()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  process.on('message', (question) => {
    const { user, system } = process.cpuUsage()
    // It costs CPU time, and more of it the more there is: not while requests are measured.
    if (question === 'rest') collect()
    const memoryMiB = process.memoryUsage().rss / 2 ** 20
    process.send?.({ port, bootMs, cpuMicros: user + system, memoryMiB } satisfies ServerState)
  })
  process.send?.('listening')
}
