import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { createApi, discover } from 'prismapi'
import type { Caller } from 'prismapi/types'
import { resources } from '../../prisma/generated/resources.ts'
import { createApp } from '../../src/app/app.ts'
import { signToken } from '../../src/app/auth.ts'
import { openDatabase } from '../../src/app/database.ts'
import { databases } from '../../test/support/databases/sqlite.ts'
import { keepAlive } from '../../test/support/keep-alive.ts'

/**
 * `npm run bench:operations`: what it costs to add a hundred posts by one atomic request, by a hundred requests of their
 * own, one after the other, and by as many calls of `api.as` in the same process. Rounds are interleaved, figures are
 * medians of one run; client and server of the requests share a process. Fails when the one request costs more than 40 %
 * of the others, or the calls more than 60 % of them.
 */
const count = 100
const rounds = 15
const worstRatio = 0.4
const worstOfCalls = 0.6
const mediaType = 'application/vnd.api+json'
const atomic = `${mediaType};ext="https://jsonapi.org/ext/atomic"`
const author = 4
const authSecret = 'the secret of the benchmark, which is long enough'

let slugs = 0
const newFields = () => ({ title: 'A post', slug: `bench-${++slugs}`, body: 'Text. '.repeat(50) })
const newPost = () => ({ type: 'posts', attributes: newFields() })

interface Client {
  send(path: string, type: string, document: object): Promise<number>
  /** The same user, from inside of the process. */
  readonly caller: Caller
}

async function withServer(work: (client: Client) => Promise<void>): Promise<void> {
  const { name, drop } = await databases.makeTemplate()
  const clients = await openDatabase(`file:${name}`)
  const logger = { debug() {}, info() {}, warn: console.warn, error: console.error }
  const baseUrl = 'http://127.0.0.1'
  const app = await createApp({ env: { authSecret, production: true }, baseUrl, clients, logger })
  const found = await discover({ root: path.resolve(import.meta.dirname, '../..'), resources })
  const api = createApi({ resources, clients, ...found, cursorSecret: authSecret, baseUrl, production: true, logger })
  const select = { id: true, name: true, email: true, role: true }
  const user = await clients.reader.user.findUniqueOrThrow({ where: { id: author }, select })
  const server = createServer(app.callback())
  // One connection waits while others have their turn.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
  const headers = { Accept: mediaType, Authorization: `Bearer ${await signToken(author, authSecret)}` }
  const connections = new Map(
    [mediaType, atomic].map((type) => [type, keepAlive(origin, { ...headers, 'Content-Type': type }, 1)]),
  )
  try {
    await work({
      send: async (path, type, document) =>
        (await connections.get(type)?.send('POST', path, JSON.stringify(document)))?.status ?? 0,
      caller: api.as(user, { server: 'v2' }),
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

async function byCalls({ caller }: Client): Promise<void> {
  for (let i = 0; i < count; i++) await caller.create('Post', newFields())
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] as number

console.log(`${count} posts, ${rounds} rounds; Node ${process.version}, ${availableParallelism()} cores, SQLite\n`)
await withServer(async (client) => {
  const times: Record<'one' | 'many' | 'calls', number[]> = { one: [], many: [], calls: [] }
  for (let round = -3; round < rounds; round++) {
    const one = await timeOf(() => byOneRequest(client))
    const many = await timeOf(() => byMany(client))
    const calls = await timeOf(() => byCalls(client))
    if (round < 0) continue
    times.one.push(one)
    times.many.push(many)
    times.calls.push(calls)
  }
  const [one, many, calls] = [median(times.one), median(times.many), median(times.calls)]
  console.log(`| | time | of ${count} requests |\n|---|---|---|`)
  console.log(`| ${count} requests | ${many.toFixed(1)} ms | 1 |`)
  console.log(`| one atomic request | ${one.toFixed(1)} ms | ${(one / many).toFixed(2)} |`)
  console.log(`| ${count} calls of api.as | ${calls.toFixed(1)} ms | ${(calls / many).toFixed(2)} |`)
  if (one / many > worstRatio || calls / many > worstOfCalls) process.exitCode = 1
})
