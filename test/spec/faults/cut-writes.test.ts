import { setTimeout as sleep } from 'node:timers/promises'
import { Schema, type Serving } from 'prismapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, provider } from '../../support/database.ts'
import { openServer } from '../../support/open-server.ts'
import { identifier, jsonapi } from '../../support/row-documents.ts'
import { type Database, type Running, startServers } from '../../support/servers.ts'
import { clientsOf } from '../../support/transactions/clients-around.ts'
import { type Cut, cutting } from '../../support/transactions/cut.ts'

// A write whose time is over is 503 and undone, whole: wherever in it the time passes, no statement behind that is kept.

class Posts extends Schema<'Post'> {}
class Tags extends Schema<'Tag'> {}
class Users extends Schema<'User'> {}

const limit = 300
let cut: Cut | null = null
let pause = 0

/** Hooks that write by their `db`: what they do is a part of the write. */
const serving = (phase: Serving) => {
  phase.updating('Post', async (_, { db }) => {
    if (pause > 0) await sleep(pause)
    await db.tag.updateMany({ where: { id: 1 }, data: { name: 'by a hook' } })
  })
  phase.saved('Post', async ({ id }, { db }) => {
    await db.post.update({
      where: { id },
      data: {
        comments: {
          create: [
            { content: 'one', authorId: 1 },
            { content: 'two', authorId: 1 },
          ],
        },
      },
    })
    await db.$executeRawUnsafe(`UPDATE "Tag" SET "name" = 'by raw SQL' WHERE "id" = 2`)
  })
}

let database: Database
let clients: Awaited<ReturnType<typeof clientsOf>>
let running: Running
/** The same without a limit. */
let patient: Running
const { around, slowDatabase, last } = cutting(() => cut)
let tags: readonly number[]
beforeAll(async () => {
  database = await openTestDatabase()
  const made = await clientsOf(database, { around })
  clients = { ...made, sql: slowDatabase(made.sql) }
  const schemas = { Post: Posts, Tag: Tags, User: Users }
  const parts = {
    clients,
    policies: new Map(),
    production: false,
    servers: [openServer('cut', schemas, { serving })],
  }
  running = await startServers(clients, { ...parts, transactions: { timeout: limit, holdMilliseconds: limit } })
  patient = await startServers(clients, { ...parts, transactions: { timeout: 30_000, holdMilliseconds: 30_000 } })
  await database.writer.tag.createMany({ data: Array.from({ length: 600 }, (_, n) => ({ name: `many ${n}` })) })
  tags = (await database.writer.tag.findMany({ where: { name: { startsWith: 'many' } } })).map(({ id }) => id)
})
afterAll(async () => {
  await running.close()
  await patient.close()
  await clients.close()
  await database.close()
})

const stored = () =>
  Promise.all([
    database.reader.post.findMany({ orderBy: { id: 'asc' }, include: { tags: { orderBy: { id: 'asc' } } } }),
    database.reader.tag.findMany({ orderBy: { id: 'asc' } }),
    database.reader.comment.findMany({ orderBy: { id: 'asc' } }),
  ])

let isSecond = false
/** Changes columns, a to-one and links, some of which go and some of which come, and what its hooks change. */
const write = (to = running) => {
  const wanted = isSecond ? tags.slice(200) : tags.slice(0, 400)
  const data = {
    ...identifier('posts', 1),
    attributes: { title: `Written ${Math.random()}` },
    relationships: {
      author: { data: identifier('users', isSecond ? 2 : 3) },
      tags: { data: wanted.map((id) => identifier('tags', id)) },
    },
  }
  return to.as(null)('PATCH', '/api/cut/posts/1', { body: { data } })
}

/** How many statements the write has. The next one undoes what it has done. */
async function statements(): Promise<number> {
  cut = null
  expect((await write(patient)).status).toBe(200)
  isSecond = !isSecond
  return last.statements
}

const undone = { status: 503, after: '1', body: { jsonapi, errors: [{ status: '503', title: 'Service Unavailable' }] } }
const ofAnswer = ({ status, headers, body }: Awaited<ReturnType<typeof write>>) => ({
  status,
  after: headers.get('Retry-After'),
  body,
})

/** Until nothing of a write that was told 503 can be on its way any more. */
const settled = () => sleep(40)

const kinds = provider === 'sqlite' ? (['before', 'after'] as const) : (['before', 'during', 'after'] as const)

test.each(kinds)('whose time passes %s any of its statements', { timeout: 60_000 }, async (when) => {
  await statements()
  const count = await statements()
  expect(count).toBeGreaterThan(10)
  for (let at = 1; at <= count; at++) {
    const before = await stored()
    cut = { at, when, milliseconds: limit + 30 }
    expect({ at, ...ofAnswer(await write()) }).toEqual({ at, ...undone })
    await settled()
    expect({ at, stored: await stored() }).toEqual({ at, stored: before })
  }
})

test('whose hook ends when the time is about to pass: it is done, or undone', { timeout: 60_000 }, async () => {
  await statements()
  for (let n = 0; n < 15; n++) {
    const before = await stored()
    isSecond = !isSecond
    pause = limit - 15 + (n % 15)
    const { status } = await write()
    await settled()
    const [posts, ...others] = await stored()
    if (status === 503) expect({ n, stored: [posts, ...others] }).toEqual({ n, stored: before })
    else expect({ n, status, tags: posts[0]?.tags.length }).toEqual({ n, status: 200, tags: 400 })
  }
  pause = 0
})
