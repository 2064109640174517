import { meta, Schema, Server, type Serving } from 'prismapi'
import type { DatabaseClient } from 'prismapi/types'
import { beforeEach, expect, test } from 'vitest'
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { users } from '../support/api.ts'
import { read } from '../support/documentation/pages.ts'
import { useServers } from '../support/servers.ts'

// Work after a commit has a client of its own. The transaction's is over then, and says so.

const ended =
  'The transaction of this db has ended. After the commit, use the client that the work is given: afterCommit(({ db }) => …).'

/** What the lists of operations have answered. */
const told: unknown[] = []
const lists: Record<string, (db: DatabaseClient) => Prisma.PrismaPromise<unknown>[]> = {
  whole: (db) => [
    db.tag.create({ data: { name: 'first' }, select: { name: true } }),
    db.$executeRaw`UPDATE "Tag" SET name = 'second' WHERE name = 'first'`,
    db.tag.count({ where: { name: { in: ['first', 'second'] } } }),
  ],
  awaited: (db) => [db.tag.create({ data: { name: 'fourth' } }), 4 as never],
  broken: (db) => [db.tag.create({ data: { name: 'third' } }), db.tag.create({ data: { name: 'third' } })],
}

class Audited extends Server {
  override readonly name = 'v1'
  override readonly models = ['Tag', 'Profile'] as const
  override authorizable = () => false

  override serving(phase: Serving): void {
    // Outside of a transaction, where the write is one statement.
    phase.creating('Tag', (_, event) => {
      event.afterCommit(async () => void (await event.db.tag.count()))
    })
    // Inside of one.
    phase.created('Tag', (tag, { db, afterCommit }) => {
      const { tag: tags, $executeRaw } = db
      const { count } = tags
      const late: Record<string, () => unknown> = {
        kept: () => db.tag.count(),
        'kept delegate': () => tags.create({ data: { name: 'lost' } }),
        'kept method': () => count(),
        'kept raw': () => $executeRaw`DELETE FROM "Tag"`,
        'kept $queryRaw': () => db.$queryRaw`SELECT 1`,
        'kept $executeRawUnsafe': () => db.$executeRawUnsafe('DELETE FROM "Tag"'),
        'kept $transaction': () => (db as unknown as DatabaseClient).$transaction([]),
      }
      const work = late[tag.name]
      if (work) afterCommit(async () => void (await work()))
    })
    phase.updated('Tag', (tag, { afterCommit }) => {
      const list = lists[tag.name]
      if (list) return afterCommit(async ({ db }) => void told.push(await db.$transaction(list(db))))
      afterCommit(async ({ db }) => {
        await db.$transaction(async (inside) => {
          await inside.tag.create({ data: { name: `first of ${tag.name}` } })
          await inside.tag.updateMany({
            where: { name: `first of ${tag.name}` },
            data: { name: `audit of ${tag.name}` },
          })
        })
        const [{ found = 0 } = {}] = await db.$queryRaw<{ found?: unknown }[]>`
          SELECT count(*) AS found FROM "Tag" WHERE name = ${`audit of ${tag.name}`}`
        await db.tag.create({ data: { name: `found ${found}` } })
      })
    })
  }
}

class TagSchema extends Schema<'Tag'> {
  override actions() {
    return [
      this.action('lose', {
        on: 'collection',
        // What goes on without being waited for is told, too, and fails nobody's write.
        handle({ db, afterCommit }) {
          afterCommit(async () => void (await db.tag.deleteMany()))
          return meta({ done: true })
        },
      }),
    ]
  }
}

const api = useServers(() => ({
  policies: new Map(),
  servers: [{ server: Audited, schemas: new Map([['Tag', TagSchema]]), authorizers: new Map(), requests: new Map() }],
}))
const admin: ReturnType<typeof api.as> = (...args) => api.as(users.admin)(...args)
const tag = (name: string, id?: string) => ({
  body: { data: { type: 'tags', ...(id && { id }), attributes: { name } } },
})
const failures = () =>
  api.logs
    .filter(({ message }) => message === 'Work after a commit failed')
    .map(({ fields }) => (fields.err as Error).message)

beforeEach(() => {
  api.logs.length = 0
})

test('the client of a transaction that has ended names the cure, and the write stays', async () => {
  expect((await admin('POST', '/api/v1/tags', tag('kept'))).status).toBe(201)
  expect((await admin('POST', '/api/v1/tags/-actions/lose')).status).toBe(200)
  expect(failures()).toEqual([ended, ended, ended])
  expect(read('docs/hooks.md')).toContain(ended)
  expect(await api.db.tag.count({ where: { name: 'kept' } })).toBe(1)
})

test.each([
  'kept delegate',
  'kept method',
  'kept raw',
  'kept $queryRaw',
  'kept $executeRawUnsafe',
  'kept $transaction',
])('so does what was taken from it: %s', async (name) => {
  const before = await api.db.tag.count()
  expect((await admin('POST', '/api/v1/tags', tag(name))).status).toBe(201)
  expect(failures()).toEqual([ended, ended])
  expect(await api.db.tag.count()).toBe(before + 1)
})

test('what the work writes is kept', async () => {
  expect((await admin('PATCH', '/api/v1/tags/5', tag('five', '5'))).status).toBe(200)
  expect(failures()).toEqual([])
  expect(await api.db.tag.count({ where: { name: { in: ['audit of five', 'found 1'] } } })).toBe(2)
})

test('a list of operations is one transaction', async () => {
  expect((await admin('PATCH', '/api/v1/tags/4', tag('whole', '4'))).status).toBe(200)
  expect([told, failures()]).toEqual([[[{ name: 'first' }, 1, 1]], []])

  api.logs.length = 0
  expect((await admin('PATCH', '/api/v1/tags/4', tag('broken', '4'))).status).toBe(200)
  expect(failures()).toEqual([expect.stringContaining('Unique constraint failed')])

  api.logs.length = 0
  expect((await admin('PATCH', '/api/v1/tags/4', tag('awaited', '4'))).status).toBe(200)
  expect(failures()).toEqual([expect.stringContaining('await')])

  const names = ['first', 'second', 'third', 'fourth']
  expect(await api.db.tag.findMany({ where: { name: { in: names } } })).toMatchObject([{ name: 'second' }])
})
