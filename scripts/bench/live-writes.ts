import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { keepAlive } from '../../test/support/keep-alive.ts'
import { inPostgres } from '../../test/support/postgres.ts'
import { postgresDatabases, sqliteDatabases } from './databases.ts'

/**
 * `npm run bench:live-writes`: the CPU time that a server takes for a write which nobody watches: where triggers log its changes, and
 * where they are signed as well; with `-- --postgres` on PostgreSQL, whose own time is not among it. The servers are asked by turns,
 * figures are medians of one run. Fails where a write costs more than 1.3 times as much: docs/live.md says which miss the target of 1.15.
 */
const onPostgres = process.argv.includes('--postgres')
const [warm, writes, worstRatio] = [150, 600, 1.3]
const mediaType = 'application/vnd.api+json'

interface Connection {
  send(method: string, path: string, document: object | null): Promise<{ readonly status: number; readonly id: string }>
}

const tags = { tags: { data: [{ type: 'tags', id: '1' }] } }
let slugs = 0
const newPost = (relationships = {}) => ({
  type: 'posts',
  attributes: { title: 'A post', slug: `bench-${++slugs}`, content: 'Text. '.repeat(50), publishedAt: null },
  relationships: { author: { data: { type: 'users', id: '7' } }, ...relationships },
})

interface Kind {
  readonly name: string
  /** Of the requests that are measured. */
  readonly method: string
  write(connection: Connection, i: number): Promise<unknown>
}

const retitled = (i: number) => ({ type: 'posts', id: `${1 + (i % 50)}`, attributes: { title: `A title ${++slugs}` } })
const kinds: readonly Kind[] = [
  {
    name: 'PATCH of a row',
    method: 'PATCH',
    write: ({ send }, i) => send('PATCH', `/posts/${1 + (i % 50)}`, retitled(i)),
  },
  { name: 'POST of a row', method: 'POST', write: ({ send }) => send('POST', '/posts', newPost()) },
  { name: 'POST with a relation', method: 'POST', write: ({ send }) => send('POST', '/posts', newPost(tags)) },
  {
    name: 'DELETE',
    method: 'DELETE',
    write: async ({ send }) => send('DELETE', `/posts/${(await send('POST', '/posts', newPost())).id}`, null),
  },
]

async function dropTriggers(database: string): Promise<void> {
  if (onPostgres) {
    await inPostgres(database, async (client) => {
      const { rows } = await client.query(
        `SELECT tgname, tgrelid::regclass::text AS "table" FROM pg_trigger WHERE tgname LIKE 'prismapi%'`,
      )
      for (const { tgname, table } of rows) await client.query(`DROP TRIGGER "${tgname}" ON ${table}`)
    })
    return
  }
  const sqlite = new Sqlite(database)
  for (const name of sqlite.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).pluck().all())
    sqlite.exec(`DROP TRIGGER "${name}"`)
  sqlite.close()
}

const connect = (port: number) => {
  const headers = { Accept: mediaType, 'Content-Type': mediaType }
  const { send, close } = keepAlive(`http://127.0.0.1:${port}/api/bench`, headers, 1)
  const connection: Connection = {
    async send(method, at, data) {
      const { status, text } = await send(method, at, data === null ? '' : JSON.stringify({ data }))
      if (status >= 300) throw new Error(`${method} ${at} was answered with ${status}: ${text}`)
      return { status, id: text === '' ? '' : JSON.parse(text).data.id }
    },
  }
  return { ...connection, close }
}

type Costs = readonly (readonly { readonly method: string; readonly cpu: number }[])[]

async function costsOf(child: ChildProcess): Promise<Costs> {
  child.send('costs')
  return ((await once(child, 'message')) as [{ costs: Costs }])[0].costs
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] as number

async function main(): Promise<void> {
  const databases = await (onPostgres ? postgresDatabases() : sqliteDatabases())
  const names = [await databases.copy('plain'), await databases.copy('logged'), await databases.copy('signed')]
  await dropTriggers(names[0] as string)
  const child = fork(path.join(import.meta.dirname, 'servers/live-writes.ts'), names, { execArgv: process.execArgv })
  const [{ ports }] = (await once(child, 'message')) as [{ ports: number[] }]
  const connections = ports.map(connect)
  try {
    const database = onPostgres ? 'PostgreSQL' : 'SQLite'
    console.log(`${writes} writes of each; Node ${process.version}, ${availableParallelism()} cores, ${database}\n`)
    console.log('| | no triggers | triggers | triggers and `live` |\n|---|---|---|---|')
    for (const { name, method, write } of kinds) {
      for (let i = -warm; i < writes; i++) {
        if (i === 0) await costsOf(child)
        for (const connection of connections) await write(connection, i + warm)
      }
      const costs = await costsOf(child)
      const [plain = 0, ...others] = costs.map((own) =>
        median(own.filter((each) => each.method === method).map(({ cpu }) => cpu)),
      )
      const ratios = others.map((cost) => cost / plain)
      console.log(`| ${name} | ${plain.toFixed(0)} µs | ${ratios.map((ratio) => ratio.toFixed(2)).join(' | ')} |`)
      if (ratios.some((ratio) => ratio > worstRatio)) process.exitCode = 1
    }
  } finally {
    for (const { close } of connections) close()
    child.disconnect()
    await databases.drop()
  }
}

await main()
