import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { createApi, discover } from 'prismapi'
import type { Telemetry } from 'prismapi/types'
import { resources } from '../../../prisma/generated/resources.ts'
import { openDatabase } from '../../../src/app/database.ts'
import V2 from '../../../src/app/v2/server.ts'

// The example with room for the streams of the benchmark, in a process of its own: it says its port, and what it uses when it is asked.

class Roomy extends V2 {
  override readonly live = { streams: 100_000, streamsPerCaller: 100_000 }
}

let [statements, looks] = [0, 0]
const telemetry: Telemetry = {
  request: (_exchange, work) => work(),
  query(_query, work) {
    statements++
    return work()
  },
  stage: (_stage, work) => work(),
  repeated: () => {},
  streamed(step) {
    if (step.kind === 'looked') looks++
  },
}
const clients = await openDatabase(process.argv[2] as string)
const { policies, servers } = await discover({ root: new URL('../../..', import.meta.url).pathname, resources })
const own = servers.find(({ server }) => server === V2)
if (!own) throw new Error('The example has no v2.')
const logger = { debug() {}, info() {}, warn: console.warn, error: console.error }
const parts = { resources, clients, policies, servers: [{ ...own, server: Roomy }], telemetry, logger }
const api = createApi({ ...parts, baseUrl: 'http://127.0.0.1', cursorSecret: 'the secret of the benchmark' })
const server = createServer(new Koa().use(api.middleware()).callback())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => {
  globalThis.gc?.()
  const { rss } = process.memoryUsage()
  process.send?.({ rss, statements, looks, cpu: process.cpuUsage() })
})
process.on('disconnect', () => process.exit(0))
