import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { Schema } from 'prismapi'
import { sqliteClients } from 'prismapi/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { openTestDatabase, provider } from '../../support/database.ts'
import { openServer } from '../../support/open-server.ts'
import { jsonapi } from '../../support/row-documents.ts'
import { type Database, type Running, startServers } from '../../support/servers.ts'

// R9: another process keeps the file busy. Writes wait for it, without keeping up anybody; then they are 503.

class Tags extends Schema<'Tag'> {}
class Posts extends Schema<'Post'> {}

describe.runIf(provider === 'sqlite')('a SQLite file that another process writes to', () => {
  let database: Database
  let file: string
  let ours: Running
  let theirs: Running
  const closing: (() => Promise<void>)[] = []
  const parts = () => ({ policies: new Map(), servers: [openServer('v1', { Tag: Tags, Post: Posts })] })

  beforeAll(async () => {
    database = await openTestDatabase()
    const [main] = await database.reader.$queryRawUnsafe<{ file: string }[]>('PRAGMA database_list')
    file = main?.file as string
    ours = await startServers(database, parts())
    const others = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`)
    theirs = await startServers(others, parts())
    closing.push(ours.close, theirs.close, others.close, database.close)
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  /** Keeps the file's only lock for writing while the work is done, or until it asks to let go. */
  async function locked<T>(work: (letGo: () => void) => Promise<T>): Promise<T> {
    const other = new Sqlite(file)
    other.exec('BEGIN IMMEDIATE')
    try {
      return await work(() => other.inTransaction && void other.exec('COMMIT'))
    } finally {
      other.close()
    }
  }

  const tag = (name: string) => ({ type: 'tags', attributes: { name } })
  const posts = { data: [{ type: 'posts', id: '1' }] }
  const writes: readonly [string, (name: string) => object][] = [
    ['a statement', tag],
    ['a transaction', (name) => ({ ...tag(name), relationships: { posts } })],
  ]
  const create = (data: object, running = ours) => running.as(null)('POST', '/api/v1/tags', { body: { data } })

  test.each(writes)('%s waits for it, and reads do not', async (kind, make) => {
    await locked(async (letGo) => {
      const created = create(make(`patient ${kind}`))
      // Where the process itself waited for the lock, it would be for five seconds.
      const began = performance.now()
      for (let n = 0; n < 20; n++) expect((await ours.as(null)('GET', '/api/v1/tags/1')).status).toBe(200)
      expect(performance.now() - began).toBeLessThan(4500)
      await sleep(200)
      letGo()
      expect((await created).status).toBe(201)
    })
  })

  test.each(writes)('%s is 503 when it has waited enough, and has written nothing', async (kind, make) => {
    await locked(async () => {
      const { status, headers, body } = await create(make(`refused ${kind}`))
      expect({ status, after: headers.get('Retry-After'), body }).toEqual({
        status: 503,
        after: '1',
        body: { jsonapi, errors: [{ status: '503', title: 'Service Unavailable' }] },
      })
    })
    expect(await database.reader.tag.count({ where: { name: `refused ${kind}` } })).toBe(0)
    expect((await create(make(`refused ${kind}`))).status).toBe(201)
  })

  test('two servers that write to it at one time both succeed', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `both ${n}`)
    const answers = await Promise.all(
      names.map((name, n) => create((writes[n % 2] as (typeof writes)[0])[1](name), n % 3 ? ours : theirs)),
    )
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201))
    expect(await database.reader.tag.count({ where: { name: { startsWith: 'both' } } })).toBe(names.length)
  })
})
