import { sqliteClients } from '@prismapi/sql/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'
import V1 from '../../src/app/v1/server.ts'
import { openTestDatabase, provider } from '../support/database.ts'
import { exampleWith, type Running, startServers } from '../support/servers.ts'

// A database that Prisma 6 filled, where instants are milliseconds since 1970: Prisma goes on so if its adapter is told, and so
// does what goes past Prisma.

class ByPrisma extends V1 {
  override readonly reads = 'prisma'
}

describe.runIf(provider === 'sqlite').each([V1, ByPrisma])('instants as milliseconds, read by %o', (Served) => {
  let file = ''
  let running: Running
  const closing: (() => Promise<void>)[] = []
  let db: PrismaClient

  beforeAll(async () => {
    const database = await openTestDatabase()
    for (const { name, columns } of Object.values(resources.models))
      for (const column of Object.values(columns))
        if (column.type === 'DateTime')
          await database.writer.$executeRawUnsafe(
            `UPDATE "${name}" SET "${column.name}" = CAST(unixepoch("${column.name}") AS INTEGER) * 1000 WHERE "${column.name}" IS NOT NULL`,
          )
    const [main] = await database.writer.$queryRawUnsafe<{ file: string }[]>('PRAGMA database_list')
    file = main?.file ?? ''
    const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`, {
      timestampFormat: 'unixepoch-ms',
    })
    running = await startServers(clients, { ...(await exampleWith(Served)), clients })
    db = clients.writer
    closing.push(running.close, clients.close, database.close)
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  const ask: ReturnType<Running['as']> = (...args) => running.as(1)(...args)
  const idsOf = async (path: string) => {
    const { status, body } = await ask('GET', path)
    expect(status).toBe(200)
    return body.data.map(({ id }: { id: string }) => id)
  }
  const typesOf = async (id: string) => {
    const [types] = await db.$queryRawUnsafe<object[]>(
      `SELECT typeof("createdAt") AS created, typeof("updatedAt") AS updated, typeof("publishedAt") AS published FROM "Post" WHERE "id" = ${id}`,
    )
    return types
  }

  test.each(['gt', 'gte', 'lt', 'lte'] as const)('are compared with what a client sends: %s', async (operator) => {
    const posts = await db.post.findMany({ where: { deletedAt: null }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
    const bound = posts[20]?.createdAt as Date
    const expected = await db.post.findMany({
      where: { createdAt: { [operator]: bound }, deletedAt: null },
      select: { id: true },
    })
    expect(expected.length).toBeGreaterThan(1)
    expect(expected.length).toBeLessThan(posts.length)
    const path = `/api/v1/posts?filter[createdAt][${operator}]=${bound.toISOString()}&page[size]=50`
    const pages = [...(await idsOf(path)), ...(await idsOf(`${path}&page[number]=2`))]
    expect(pages.map(Number).sort((a, b) => a - b)).toEqual(expected.map(({ id }) => id).sort((a, b) => a - b))
  })

  test('are written as Prisma writes them', async () => {
    const publishedAt = '2024-05-01T10:20:30.000Z'
    const attributes = { title: 'A post', slug: 'a-post-in-milliseconds', content: 'Text', publishedAt }
    const body = { data: { type: 'posts', attributes } }
    const created = await ask('POST', '/api/v1/posts', { body })
    expect(created.status).toBe(201)
    const { id } = created.body.data
    expect(created.body.data.attributes.publishedAt).toBe(publishedAt)
    const integers = { created: 'integer', updated: 'integer', published: 'integer' }
    expect(await typesOf(id)).toEqual(integers)
    const change = { data: { type: 'posts', id, attributes: { publishedAt: '2024-06-01T10:20:30.000Z' } } }
    const changed = await ask('PATCH', `/api/v1/posts/${id}`, { body: change })
    expect([changed.status, changed.body.data.attributes.publishedAt]).toEqual([200, '2024-06-01T10:20:30.000Z'])
    expect(await typesOf(id)).toEqual(integers)
    const tags = { data: [{ type: 'tags', id: '1' }] }
    expect((await ask('PATCH', `/api/v1/posts/${id}/relationships/tags`, { body: tags })).status).toBe(200)
    expect((await ask('DELETE', `/api/v1/posts/${id}`)).status).toBe(204)
  })

  test('order the pages of a collection, each row on one of them', async () => {
    const expected = await db.comment.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: 30 })
    const first = await idsOf('/api/v1/comments?page[limit]=15')
    const second = await idsOf(`/api/v1/comments?page[limit]=15&page[after]=${first.at(-1)}`)
    expect([...first, ...second].map(Number)).toEqual(expected.map(({ id }) => id))
  })
})
