import { postgresClients } from '@prismapi/sql/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import V1 from '../../../src/app/v1/server.ts'
import { users } from '../../support/api.ts'
import { openTestDatabase, provider } from '../../support/database.ts'
import { postgresUrl, withDatabase } from '../../support/postgres.ts'
import { exampleWith, type Running, startServers } from '../../support/servers.ts'

// Without a hash table PostgreSQL goes through all rows behind a relation for each row of the other side. It has one for as many rows as
// its memory for hash tables holds; of 300,000 rows it had none.

describe.runIf(provider === 'postgresql')('on PostgreSQL', () => {
  let running: Running
  const open: { close(): Promise<void> }[] = []
  beforeAll(async () => {
    const database = await openTestDatabase()
    open.push(database)
    const { writer } = database
    const [{ name = '' } = {}] = await writer.$queryRawUnsafe<{ name: string }[]>('SELECT current_database() AS name')
    await writer.$executeRawUnsafe(`INSERT INTO "Post" ("title", "slug", "content", "publishedAt", "updatedAt", "authorId")
      SELECT 'T', 'many-' || i, 'C', '2024-01-01', '2024-01-01', ${users.admin} FROM generate_series(1, 5000) i`)
    await writer.$executeRawUnsafe(`INSERT INTO "Comment" ("content", "postId", "authorId")
      SELECT 'zzz', 1, ${users.admin} FROM generate_series(1, 12000) i`)
    await writer.$executeRawUnsafe('ANALYZE')
    // The least that there is, as if there were 64 times as many rows.
    const url = `${withDatabase(postgresUrl, name)}?options=${encodeURIComponent('-c work_mem=64kB')}`
    const own = await postgresClients((adapter) => new PrismaClient({ adapter }), url, { statementMilliseconds: 1500 })
    open.unshift(own)
    running = await startServers(own, { ...(await exampleWith(V1)), clients: own })
    open.unshift(running)
  })
  afterAll(async () => {
    for (const each of open) await each.close()
  })

  test.each([
    'filter[comments.none.content][contains]=zzz',
    'filter[or][0][comments.content][contains]=zzz&filter[or][1][title]=U',
  ])('%s', async (filter) => {
    const { status } = await running.as(null)('GET', `/api/v1/posts?page[size]=1&page[number]=1&${filter}`)
    expect(status).toBe(200)
  })
})
