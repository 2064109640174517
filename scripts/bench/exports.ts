import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Koa from 'koa'
import pg from 'pg'
import { createApi, Policy, type Rules, Server } from 'prismapi'
import { postgresClients } from 'prismapi/postgres'
import { resources } from '../../prisma/generated/resources.ts'
import { postgresAnswers, shownUrl } from '../../test/support/postgres.ts'
import { inPostgresql, postgresClient } from './cursor-database.ts'

/**
 * `npm run bench:exports`: 1,000,000 rows as CSV, by the server and by a handler that is written by hand with a cursor of
 * PostgreSQL, each in a process of its own: how long, and how much more memory than before. Figures are medians.
 */
const rows = 1_000_000
const rounds = 3
const atOnce = 1000

async function main(): Promise<void> {
  const database = await inPostgresql(rows)
  try {
    const [own, byHand] = [await measure('server', database.url), await measure('hand', database.url)]
    console.log(
      `${rows} rows as CSV; Node ${process.version}\n\n| | seconds | MB | MiB more memory |\n|---|---|---|---|`,
    )
    for (const [name, each] of [
      ['server', own],
      ['by hand', byHand],
    ] as const)
      console.log(
        `| ${name} | ${each.seconds.toFixed(2)} | ${(each.bytes / 1e6).toFixed(1)} | ${each.more.toFixed(1)} |`,
      )
    console.log(`\nspeed ÷ that by hand: ${(byHand.seconds / own.seconds).toFixed(2)}`)
  } finally {
    await database.close()
  }
}

interface Measured {
  readonly seconds: number
  readonly bytes: number
  readonly more: number
}

async function measure(kind: string, url: string): Promise<Measured> {
  const child = fork(import.meta.filename, { env: { ...process.env, BENCH_EXPORTS: kind, BENCH_URL: url } })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const memory = async (ask: 'begin' | 'peak'): Promise<number> => {
    child.send(ask)
    return ((await once(child, 'message')) as [number])[0]
  }
  try {
    await read(port, '?filter[id][lte]=20000')
    const told: Measured[] = []
    for (let i = 0; i < rounds; i++) {
      const before = await memory('begin')
      const began = performance.now()
      const bytes = await read(port, '')
      const seconds = (performance.now() - began) / 1000
      told.push({ seconds, bytes, more: ((await memory('peak')) - before) / 1_048_576 })
    }
    return told.sort((a, b) => a.seconds - b.seconds)[Math.floor(rounds / 2)] as Measured
  } finally {
    child.kill()
  }
}

async function read(port: number, query: string): Promise<number> {
  const path = `/api/v1/comments${query}${query === '' ? '?' : '&'}sort=id&fields[comments]=content,createdAt`
  const request = get({ host: '127.0.0.1', port, path, headers: { accept: 'text/csv' } })
  const [response] = await once(request, 'response')
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  if (response.statusCode !== 200 || !response.complete) throw new Error(`${response.statusCode}, ${bytes} bytes`)
  return bytes
}

async function serve(kind: string, url: string): Promise<void> {
  const handle = (kind === 'server' ? await byServer(url) : byHand(url)) as RequestListener
  const server = createServer(handle)
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  let peak = 0
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  setInterval(look, 20).unref()
  process.on('message', (ask) => {
    if (ask === 'begin') peak = 0
    look()
    process.send?.(peak)
  })
}

const told = (...all: unknown[]) => console.error(...all)
const silent = () => {}
const logger = { debug: told, info: silent, warn: told, error: told }

class Open extends Policy {
  override abilities({ can }: Rules) {
    can(this.reads)
  }
}

class Bench extends Server {
  override readonly name = 'v1'
  override readonly models = ['Comment'] as const
  override readonly limits = { exportRows: rows, cost: 10 * rows }
}

async function byServer(url: string) {
  const Client = await postgresClient()
  const clients = await postgresClients((adapter) => new Client({ adapter }), url)
  const api = createApi({
    ...{ resources: { ...resources, provider: 'postgresql' }, clients, baseUrl: 'http://127.0.0.1', logger },
    ...{
      servers: [{ server: Bench, schemas: new Map(), requests: new Map(), queries: new Map(), authorizers: new Map() }],
      policies: new Map([['Comment', Open]]),
    },
  } as never)
  return new Koa().use(api.middleware()).callback()
}

const special = /[",\r\n]/
const cell = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function byHand(url: string) {
  const pool = new pg.Pool({ connectionString: url })
  return async (req: { url?: string }, res: import('node:http').ServerResponse) => {
    const most = /lte%5D=(\d+)|lte\]=(\d+)/.exec(req.url ?? '')
    const client = await pool.connect()
    res.writeHead(200, { 'content-type': 'text/csv' })
    async function* lines() {
      await client.query('BEGIN')
      const where = most ? `WHERE "id" <= ${most[1] ?? most[2]}` : ''
      const columns = '"id", "content", "createdAt"'
      await client.query(
        `DECLARE exported NO SCROLL CURSOR FOR SELECT ${columns} FROM "Comment" ${where} ORDER BY "id"`,
      )
      yield 'id,content,createdAt\r\n'
      for (;;) {
        const { rows: found } = await client.query(`FETCH ${atOnce} FROM exported`)
        let text = ''
        for (const { id, content, createdAt } of found) text += `${id},${cell(content)},${createdAt.toISOString()}\r\n`
        if (text !== '') yield text
        if (found.length < atOnce) break
      }
      await client.query('COMMIT')
    }
    await pipeline(Readable.from(lines(), { objectMode: false }), res).finally(() => client.release())
  }
}

if (process.env.BENCH_EXPORTS) await serve(process.env.BENCH_EXPORTS, process.env.BENCH_URL as string)
else if (postgresAnswers) await main()
else console.log(`PostgreSQL is left out: nobody answers at ${shownUrl}.`)
