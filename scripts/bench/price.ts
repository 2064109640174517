import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { parseArgs } from 'node:util'
import Koa from 'koa'
import { createApi, discover, type Limits, type ServerParts } from 'prismapi'
import { sqliteClients } from 'prismapi/sqlite'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'
import { startApp } from '../../test/support/app-process.ts'
import { type Asked, randomQueries, urlOf } from './price/random-queries.ts'

// `npm run bench:price -- <file>`: does the price of requests say what they cost, and does it keep them from costing too much? The
// file is a database of the example: `npm run seed -- --posts 20000`. With --worst, the dearest requests that the limits allow.

const unlimited: Partial<Limits> = { cost: Number.POSITIVE_INFINITY, requestMilliseconds: 600_000 }

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { worst: { type: 'boolean', default: false }, queries: { type: 'string', default: '500' } },
  })
  const [file] = positionals
  if (file === undefined) throw new Error('Name the file of a database of the example.')
  if (values.worst) await worst(file, Number(values.queries))
  else await order(file, Number(values.queries))
}

async function open(file: string, limits: Partial<Limits>) {
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`, {
    inlineCost: Number.POSITIVE_INFINITY,
  })
  const found = await discover({ root: path.resolve(import.meta.dirname, '../..'), resources })
  const servers = found.servers.map((parts) => ({ ...parts, server: limited(parts.server, limits) }))
  const silent = () => {}
  const logger = { debug: silent, info: silent, warn: silent, error: console.error }
  const own = { resources, clients, servers, policies: found.policies, production: false, logger }
  const api = createApi({ ...own, baseUrl: 'http://127.0.0.1', cursorSecret: 'a secret of the benchmark' })
  const http = createServer(new Koa().use(api.middleware()).use(api.notFound()).callback())
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const [server] = api.servers
  if (!server) throw new Error('There is no server.')
  return {
    server,
    ask: (asked: Asked) => measured(origin + urlOf(server, asked)),
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

interface Answer {
  readonly status: number
  readonly points: number
  /** Of the whole process, in milliseconds. */
  readonly cpu: number
}

async function measured(url: string): Promise<Answer> {
  const began = process.cpuUsage()
  const { status, headers } = await answerOf(url)
  const { user, system } = process.cpuUsage(began)
  return { status, points: Number(headers['prismapi-cost']), cpu: (user + system) / 1000 }
}

const answerOf = (url: string) =>
  new Promise<{ readonly status: number; readonly headers: Readonly<Record<string, unknown>> }>((resolve, reject) => {
    get(url, { headers: { Accept: 'application/vnd.api+json', Prefer: 'cost' } }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    }).on('error', reject)
  })

/** Does the price order requests as their time does? */
async function order(file: string, queries: number): Promise<void> {
  const { server, ask, close } = await open(file, unlimited)
  const random = randomQueries(server, 1)
  const found: Answer[] = []
  const refused: Answer[] = []
  while (found.length < queries) {
    const asked = random.next()
    const first = await ask(asked)
    if (first.status !== 200) continue
    const again = await ask(asked)
    const answer = { ...first, cpu: Math.min(first.cpu, again.cpu) }
    found.push(answer)
    if (answer.points > 1_000_000) refused.push(answer)
    if (answer.points > 1_000_000 && answer.cpu < 100) console.log('cheap, and refused', answer, urlOf(server, asked))
    if (answer.points <= 1_000_000 && answer.cpu > 1000) console.log('dear, and allowed', answer, urlOf(server, asked))
  }
  const rho = spearman(
    found.map(({ points }) => points),
    found.map(({ cpu }) => cpu),
  )
  console.log({ queries, spearman: Number(rho.toFixed(3)), refused: refused.length })
  await close()
}

/** The correlation of the ranks of two lists; equal values share theirs. */
function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)]
  const mean = (a.length + 1) / 2
  const of = (p: readonly number[], q: readonly number[]) =>
    p.reduce((sum, each, i) => sum + (each - mean) * ((q[i] as number) - mean), 0)
  return of(x, y) / Math.sqrt(of(x, x) * of(y, y))
}

function ranks(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1)
}

/** Looks for the requests that take longest among those that the limits allow, and asks sixteen of them at once. */
async function worst(file: string, queries: number): Promise<void> {
  const { server, ask, close } = await open(file, {})
  const random = randomQueries(server, 2)
  let best: { readonly asked: Asked; readonly answer: Answer }[] = []
  for (let i = 0; i < queries; i++) {
    const near = i > queries / 3 && best.length > 0 ? best[i % best.length] : undefined
    const asked = near ? random.near(near.asked) : random.next()
    const answer = await ask(asked)
    if (answer.status !== 200) continue
    best = [...best, { asked, answer }].sort((a, b) => b.answer.cpu - a.answer.cpu).slice(0, 16)
  }
  for (const { asked, answer } of best)
    console.log(answer.cpu.toFixed(0), 'ms', answer.points, decodeURIComponent(urlOf(server, asked)))
  await close()
  await together(
    file,
    best.map(({ asked }) => urlOf(server, asked)),
  )
}

async function together(file: string, urls: readonly string[]): Promise<void> {
  const app = startApp({
    DATABASE_URL: `file:${file}`,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    AUTH_SECRET: 'x'.repeat(40),
  })
  const origin = /http:\/\/[^/]+/.exec(await app.firstLine)?.[0] ?? ''
  await answerOf(`${origin}/live`)
  let open = true
  const waits: number[] = []
  const watching = (async () => {
    while (open) {
      const began = performance.now()
      await answerOf(`${origin}/live`)
      waits.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const before = await memoryOf(app.pid)
  const statuses = await Promise.all(urls.map(async (url) => (await answerOf(origin + url)).status))
  open = false
  await watching
  console.log({
    atOnce: statuses,
    liveMilliseconds: Math.round(Math.max(...waits)),
    ...before,
    after: await memoryOf(app.pid),
  })
  app.stop()
  await app.exit
}

async function memoryOf(pid: number) {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024)
  return { residentMiB: of('VmRSS'), peakMiB: of('VmHWM') }
}

await main()
