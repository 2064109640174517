import type { Serving } from 'prismapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { openTestDatabase } from '../../support/database.ts'
import { type Database, exampleWith, type Running, startServers } from '../../support/servers.ts'

// What reads: statements beside Prisma, or Prisma alone.

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

type Parts = Parameters<typeof startServers>[1]

/** Starts a server, and ends it with the work. */
async function serving<T>(clients: Database, parts: Parts, work: (running: Running) => Promise<T>): Promise<T> {
  const running = await startServers(clients, parts)
  try {
    return await work(running)
  } finally {
    await running.close()
  }
}

/** Who ran the queries of a guest's request for tags. */
async function readersOf(clients: Database, parts: Parts): Promise<readonly string[]> {
  return serving(clients, parts, async ({ as }) => {
    const queries = await database.queriesOf(() => as(null)('GET', '/api/v1/tags?include=posts'))
    return queries.map((query) => (query.startsWith('select ') ? 'statement' : 'Prisma'))
  })
}

test('statements read, where the clients bring a connection for them', async () => {
  expect(new Set(await readersOf(database, await exampleWith(V1)))).toEqual(new Set(['statement']))
})

test('Prisma does, where the server says so', async () => {
  class ByPrisma extends V1 {
    override readonly reads = 'prisma'
  }
  expect(new Set(await readersOf(database, await exampleWith(ByPrisma)))).toEqual(new Set(['Prisma']))
})

test('or where the clients are two and no more', async () => {
  const { sql: _, ...clients } = database as Database & { sql: unknown }
  expect(new Set(await readersOf(clients, await exampleWith(V1)))).toEqual(new Set(['Prisma']))
})

describe('a client with an extension of the application', () => {
  test('is asked every time, and what it makes of the rows is shown', async () => {
    const reader = database.reader.$extends({
      query: {
        tag: {
          async findMany({ args, query }) {
            const rows = await query(args)
            return rows.map((row) => ({ ...row, name: `extended ${row.name}` }))
          },
        },
      },
    })
    const extended = { ...database, reader: reader as unknown as Database['reader'] }
    const { body } = await serving(extended, await exampleWith(V1), ({ as }) => as(null)('GET', '/api/v1/tags/1'))
    expect(body.data.attributes.name).toMatch(/^extended /)
  })
})

test('a row that was written is read at once, and one whose transaction failed never', async () => {
  await serving(database, await exampleWith(V1), async ({ as }) => {
    const data = { type: 'tags', attributes: { name: 'just-written' } }
    const created = await as(1)('POST', '/api/v1/tags', { body: { data } })
    expect(created.status).toBe(201)
    const again = await as(1)('POST', '/api/v1/tags', { body: { data } })
    expect(again.status).toBe(422)
    const listed = await as(null)('GET', '/api/v1/tags?filter[name]=just-written')
    expect(listed.body.data).toEqual([expect.objectContaining({ id: created.body.data.id })])
  })
})

test('what statements cannot do is said at debug level, with the part that is unknown', async () => {
  class Odd extends V1 {
    override serving(phase: Serving): void {
      super.serving(phase)
      phase.scope('Tag', { name: { equals: database.reader.tag.fields.name } })
    }
  }
  await serving(database, await exampleWith(Odd), async ({ as, logs }) => {
    expect((await as(null)('GET', '/api/v1/tags/1')).status).toBe(200)
    expect(logs.filter(({ level }) => level === 'debug')).toEqual([
      {
        level: 'debug',
        fields: { model: 'Tag', part: 'a value that is no String' },
        message: 'Read by Prisma, because SQL does not know a part of it',
      },
    ])
  })
})
