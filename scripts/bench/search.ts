import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, get, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { searchedModels, searchMigration } from '@prismapi/search/search-migration'
import Sqlite from 'better-sqlite3'
import Koa from 'koa'
import { createApi, Policy, type PrismApi, type Rules, Schema, Server } from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import { postgresClients } from 'prismapi/postgres'
import { sqliteClients } from 'prismapi/sqlite'
import type { Clients } from 'prismapi/types'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'
import { inPostgres, postgresAnswers, postgresUrl, shownUrl, withDatabase } from '../../test/support/postgres.ts'
import { postgresClient } from './cursor-database.ts'
import { mediansOf } from './rounds.ts'

/**
 * `npm run bench:search`: searches in 100,000 posts of 140 words, over HTTP, for words that few or many of them have.
 * Figures are medians of one run. Fails where a search for a word of one post in seventy takes more than 20 milliseconds.
 */
const posts = 100_000
const rounds = 9
const most = 20
/** Of the vocabulary, by how frequent they are; only the first ones are looked at with the limit. */
const ranks = [10_000, 3000, 1000, 400, 100, 30]
const usual = 3

const seconds = (post: number): string => new Date((1_600_000_000 + post * 60) * 1000).toISOString()
const columns = '"id", "title", "slug", "content", "synopsis", "publishedAt", "createdAt", "updatedAt", "authorId"'
const table = (id: string, time: string) => `
  CREATE TABLE "Post" (
    "id" ${id}, "title" TEXT NOT NULL, "slug" TEXT NOT NULL UNIQUE, "content" TEXT NOT NULL, "synopsis" TEXT,
    "publishedAt" ${time}, "createdAt" ${time} NOT NULL, "updatedAt" ${time} NOT NULL, "deletedAt" ${time},
    "authorId" INTEGER NOT NULL
  );
  CREATE INDEX "Post_createdAt_id_idx" ON "Post"("createdAt", "id");`

/** Words as texts have them: the n-th is n times as rare as the first. */
function writer() {
  const syllables = 'ba ke li mo nu pra ste tor vel win zep har cra dun fle gor hil jas kro lum'.split(' ')
  const spelt = (n: number): string => (n < 20 ? '' : spelt(Math.floor(n / 20))) + syllables[n % 20]
  const vocabulary = Array.from({ length: 30_000 }, (_, n) => spelt(n + 400))
  const sums: number[] = []
  for (const n of vocabulary.keys()) sums.push((sums.at(-1) ?? 0) + 1 / (n + 3))
  let seed = 42
  const drawn = (): string => {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0
    const wanted = (seed / 2 ** 32) * (sums.at(-1) as number)
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < wanted) low = middle + 1
      else high = middle
    }
    return vocabulary[low] as string
  }
  const text = (words: number): string => Array.from({ length: words }, drawn).join(' ')
  /** The words that are looked for, and how many posts have each of them. */
  const found = new Map(ranks.map((rank) => [vocabulary[rank] as string, 0]))
  const count = (texts: string): void => {
    const all = new Set(texts.split(' '))
    for (const [word, known] of found) if (all.has(word)) found.set(word, known + 1)
  }
  return { found, text, count }
}

function* rowsOf({ text, count }: ReturnType<typeof writer>) {
  for (let n = 1; n <= posts; n++) {
    const at = seconds(n)
    const [title, content, synopsis] = [text(6), text(120), n % 3 === 0 ? null : text(14)]
    count(`${title} ${content} ${synopsis ?? ''}`)
    yield [n, title, `post-${n}`, content, synopsis, n % 5 === 0 ? null : at, at, at, 1]
  }
}

class Open extends Policy {
  override abilities({ can }: Rules) {
    can(this.reads)
  }
}

class Posts extends Schema<'Post'> {
  override readonly search = { fields: ['title', 'synopsis', 'content'] as const, language: 'english' }
  override readonly defaultSort = '-createdAt'
  override pagination() {
    return new CursorProfilePagination()
  }
}

class Bench extends Server {
  override readonly name = 'v1'
  override readonly models = ['Post'] as const
}

const silent = () => {}
const told = (...all: unknown[]) => console.error(...all)
// That there is no index yet is known.
const logger = { debug: silent, info: silent, warn: told, error: silent }

type Provider = 'sqlite' | 'postgresql'

const apiOf = (clients: Clients, provider: Provider): PrismApi =>
  createApi({
    ...{
      resources: { ...resources, provider },
      clients,
      baseUrl: 'http://127.0.0.1',
      logger,
      cursorSecret: 'k'.repeat(32),
    },
    ...{
      servers: [
        {
          server: Bench,
          schemas: new Map([['Post', Posts]]),
          ...{ requests: new Map(), queries: new Map(), authorizers: new Map() },
        },
      ],
      policies: new Map([['Post', Open]]),
    },
  } as never)

/** The migration that `prismapi search` prints. */
const indexesFor = ({ servers }: PrismApi, provider: Provider): string =>
  searchMigration(
    searchedModels((servers as unknown as readonly CompiledServer[]).map(({ schemas }) => schemas)),
    provider,
  )

async function onSqlite(words: ReturnType<typeof writer>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-bench-'))
  const file = path.join(folder, 'bench.db')
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.exec(table('INTEGER PRIMARY KEY', 'DATETIME'))
  const insert = database.prepare(`insert into "Post" (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  database.transaction(() => {
    for (const row of rowsOf(words)) insert.run(...row)
  })()
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`)
  database.exec(indexesFor(apiOf(clients, 'sqlite'), 'sqlite'))
  database.exec('ANALYZE')
  database.close()
  const close = async () => {
    await clients.close()
    rmSync(folder, { recursive: true })
  }
  return { name: 'SQLite', clients, provider: 'sqlite' as const, close }
}

async function onPostgres(words: ReturnType<typeof writer>) {
  const name = `prismapi_bench_${process.pid}`
  await inPostgres(postgresUrl, (server) => server.query(`CREATE DATABASE "${name}"`))
  const url = withDatabase(postgresUrl, name)
  const Client = await postgresClient()
  const clients = await postgresClients((adapter) => new Client({ adapter }), url)
  await inPostgres(url, async (database) => {
    await database.query(table('SERIAL PRIMARY KEY', 'TIMESTAMP(3)'))
    let part: unknown[] = []
    const write = async () => {
      await database.query(
        `INSERT INTO "Post" (${columns}) SELECT * FROM json_to_recordset($1) AS row
        ("0" int, "1" text, "2" text, "3" text, "4" text, "5" timestamp, "6" timestamp, "7" timestamp, "8" int)`,
        [JSON.stringify(part)],
      )
      part = []
    }
    for (const row of rowsOf(words)) if (part.push({ ...row }) === 2000) await write()
    await database.query(indexesFor(apiOf(clients, 'postgresql'), 'postgresql'))
    await database.query('VACUUM ANALYZE')
  })
  const close = async () => {
    await clients.close()
    await inPostgres(postgresUrl, (server) => server.query(`DROP DATABASE "${name}" WITH (FORCE)`))
  }
  return { name: 'PostgreSQL', clients, provider: 'postgresql' as const, close }
}

interface Opened {
  readonly name: string
  readonly clients: Clients
  readonly provider: Provider
}

async function measure({ name, clients, provider }: Opened, found: ReadonlyMap<string, number>) {
  // Within one turn, a connection reads what it has read before the migration.
  await sleep(100)
  const api = apiOf(clients, provider)
  const server = createServer(new Koa().use(api.middleware()).callback() as RequestListener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ask = (query: string) =>
    new Promise<void>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: `/api/v1/posts?page[size]=20&${query}` }, (response) => {
        const parts: Buffer[] = []
        response
          .on('data', (part) => parts.push(part))
          .on('end', () => {
            const text = Buffer.concat(parts).toString()
            if (response.statusCode === 200) resolve()
            else reject(new Error(text))
          })
      }).on('error', reject)
    })
  for (const [i, [word, count]] of [...found].entries()) {
    const asked = `filter[search]=${word}`
    const times = await mediansOf(
      [`${asked}&sort=-search,-createdAt`, `${asked}&sort=-createdAt`].map((query) => () => ask(query)),
      rounds,
    )
    console.log(`| ${name} | ${count} | ${times.map((each) => `${each.toFixed(1)} ms`).join(' | ')} |`)
    if (i < usual && times.some((each) => each > most)) process.exitCode = 1
  }
  server.close()
}

async function main(): Promise<void> {
  console.log(`${posts} posts, ${rounds} rounds; Node ${process.version}, ${availableParallelism()} cores\n`)
  console.log('| database | found | ranked | the newest first |\n|---|---|---|---|')
  for (const open of [onSqlite, ...(postgresAnswers ? [onPostgres] : [])]) {
    const words = writer()
    const database = await open(words)
    try {
      await measure(database, words.found)
    } finally {
      await database.close()
    }
  }
  if (!postgresAnswers) console.log(`\nPostgreSQL is left out: nobody answers at ${shownUrl}.`)
}

await main()
