// `npm run ways`: through how many files and functions of the packages one warm request goes in production, by V8's own count.
// With `--files`, the files as well: what you open to read one request from the socket to its document.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { seed } from '../prisma/seed.ts'
import { createApp } from '../src/app/app.ts'
import { signToken } from '../src/app/auth.ts'
import { openDatabase } from '../src/app/database.ts'
import { prismaCli } from './database/prisma-cli.ts'

interface Way {
  readonly method: string
  readonly url: string
  readonly accept: string
  readonly body?: (run: number) => object
}

const jsonapi = 'application/vnd.api+json'
const atomic = `${jsonapi};ext="https://jsonapi.org/ext/atomic"`
const post = (run: number) => ({
  type: 'posts',
  attributes: { title: 'A way', slug: `way-${run}`, content: 'Long.' },
})

const ways: Readonly<Record<string, Way>> = {
  list: { method: 'GET', url: '/api/v1/posts?include=author,tags&filter[author]=3&sort=title', accept: jsonapi },
  create: { method: 'POST', url: '/api/v1/posts', accept: jsonapi, body: (run) => ({ data: post(run) }) },
  update: {
    method: 'PATCH',
    url: '/api/v1/posts/1',
    accept: jsonapi,
    body: (run) => ({ data: { type: 'posts', id: '1', attributes: { title: `A way ${run}` } } }),
  },
  atomic: {
    method: 'POST',
    url: '/api/v2/operations',
    accept: atomic,
    body: (run) => ({
      'atomic:operations': [{ op: 'add', data: { type: 'tags', attributes: { name: `way-${run}` } } }],
    }),
  },
  page: { method: 'GET', url: '/api/v2/posts', accept: 'text/html' },
}

const packages = pathToFileURL(path.resolve(import.meta.dirname, '../packages/')).href
const nothing = () => {}
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing }

const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-ways-'))
process.env.NODE_ENV = 'production'
process.env.DATABASE_URL = `file:${path.join(folder, 'ways.db')}`
const session = new Session()
session.connect()
const server = createServer()
try {
  const { failed, stderr } = await prismaCli('migrate', 'deploy')
  if (failed) throw new Error(stderr)
  const clients = await openDatabase(process.env.DATABASE_URL)
  await seed(clients.writer)
  const authSecret = 'the secret of the ways, which is long enough'
  // Pages are for development, unless a server class says otherwise.
  const appOf = async (production: boolean) =>
    (
      await createApp({ env: { authSecret, production }, baseUrl: 'http://127.0.0.1', clients, logger: quiet })
    ).callback()
  const [app, pages] = [await appOf(true), await appOf(false)]
  server.on('request', (req, res) => (req.headers.accept === ways.page?.accept ? pages : app)(req, res))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const token = await signToken(1, authSecret)
  let runs = 0
  const ask = async ({ method, url, accept, body }: Way): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}${url}`, {
      method,
      headers: { Accept: accept, Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': accept }) },
      ...(body && { body: JSON.stringify(body(++runs)) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  }
  // An answer is kept while nothing is committed: then nothing of the way is gone.
  const commit = () => clients.writer.user.update({ where: { id: 2 }, data: { name: `User ${++runs}` } })
  await session.post('Profiler.enable')
  for (const [name, way] of Object.entries(ways)) {
    for (let i = 0; i < 20; i++) {
      await commit()
      await ask(way)
    }
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await commit()
    await session.post('Profiler.takePreciseCoverage')
    await ask(way)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    await session.post('Profiler.stopPreciseCoverage')
    const own = result
      .filter(({ url }) => url.startsWith(packages))
      .map(({ url, functions }) => ({
        file: url.slice(packages.length + 1).replace(/\?.*/, ''),
        functions: functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0)).length,
      }))
      .filter(({ functions }) => functions > 0)
      .sort((a, b) => (a.file < b.file ? -1 : 1))
    const total = own.reduce((sum, { functions }) => sum + functions, 0)
    console.log(`${name}: ${own.length} files, ${total} functions`)
    if (process.argv.includes('--files')) for (const { file, functions } of own) console.log(`  ${file} ${functions}`)
  }
  await clients.close()
} finally {
  session.disconnect()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
}
