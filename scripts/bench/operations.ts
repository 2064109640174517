import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { createApp } from '../../src/app/app.ts'
import { signToken } from '../../src/app/auth.ts'
import { openDatabase } from '../../src/app/database.ts'
import { databases } from '../../test/support/databases/sqlite.ts'
import { keepAlive } from '../../test/support/keep-alive.ts'

/**
 * `npm run bench:operations`: what it costs to add a hundred posts by one atomic request, and by a hundred requests of
 * their own, one after the other. Rounds are interleaved, figures are medians of one run. Fails when the one costs more
 * than 40 % of the others.
 */
const count = 100
const rounds = 15
const worstRatio = 0.4
const mediaType = 'application/vnd.api+json'
const atomic = `${mediaType};ext="https://jsonapi.org/ext/atomic"`
const authSecret = 'the secret of the benchmark, which is long enough'

let slugs = 0
const newPost = () => ({
  type: 'posts',
  attributes: { title: 'A post', slug: `bench-${++slugs}`, body: 'Text. '.repeat(50) },
})

interface Client {
  send(path: string, type: string, document: object): Promise<number>
}

async function withServer(work: (client: Client) => Promise<void>): Promise<void> {
  const { name, drop } = await databases.makeTemplate()
  const clients = await openDatabase(`file:${name}`)
  const logger = { debug() {}, info() {}, warn: console.warn, error: console.error }
  const app = await createApp({ env: { authSecret, production: true }, baseUrl: 'http://127.0.0.1', clients, logger })
  const server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
  const headers = { Accept: mediaType, Authorization: `Bearer ${await signToken(4, authSecret)}` }
  const connections = new Map(
    [mediaType, atomic].map((type) => [type, keepAlive(origin, { ...headers, 'Content-Type': type }, 1)]),
  )
  try {
    await work({
      send: async (path, type, document) =>
        (await connections.get(type)?.send('POST', path, JSON.stringify(document)))?.status ?? 0,
    })
  } finally {
    for (const connection of connections.values()) connection.close()
    server.close()
    await clients.close()
    await drop()
  }
}

async function byOneRequest({ send }: Client): Promise<void> {
  const operations = Array.from({ length: count }, () => ({ op: 'add', data: newPost() }))
  const status = await send('/operations', atomic, { 'atomic:operations': operations })
  if (status !== 200) throw new Error(`The atomic request was answered with ${status}.`)
}

async function byMany({ send }: Client): Promise<void> {
  for (let i = 0; i < count; i++) {
    const status = await send('/posts', mediaType, { data: newPost() })
    if (status !== 201) throw new Error(`A request was answered with ${status}.`)
  }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] as number

console.log(`${count} posts, ${rounds} rounds; Node ${process.version}, ${availableParallelism()} cores, SQLite\n`)
await withServer(async (client) => {
  const times: Record<'one' | 'many', number[]> = { one: [], many: [] }
  for (let round = -3; round < rounds; round++) {
    const one = await timeOf(() => byOneRequest(client))
    const many = await timeOf(() => byMany(client))
    if (round < 0) continue
    times.one.push(one)
    times.many.push(many)
  }
  const ratio = median(times.one) / median(times.many)
  console.log(`| one atomic request | ${count} requests | ratio |\n|---|---|---|`)
  console.log(`| ${median(times.one).toFixed(1)} ms | ${median(times.many).toFixed(1)} ms | ${ratio.toFixed(2)} |`)
  if (ratio > worstRatio) process.exitCode = 1
})
