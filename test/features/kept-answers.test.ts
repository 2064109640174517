import { setTimeout as sleep } from 'node:timers/promises'
import type { SqlDatabase, Version } from '@prismapi/core/database/sql-database'
import Sqlite from 'better-sqlite3'
import { Policy, ResourceQuery, ResourceRequest, type Rules, Schema, Server, type Serving, type User } from 'prismapi'
import type { PolicyClass, SchemaClass, ServerParts } from 'prismapi/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { openTestDatabase, provider } from '../support/database.ts'
import { keptCounter } from '../support/kept-answers.ts'
import { addPost } from '../support/rows.ts'
import { plain, type Running, startServers, theExample } from '../support/servers.ts'

// Answers are kept while nothing is committed. Nobody can tell, except by what the database is asked.

/** PostgreSQL counts the transactions of all its databases together, so other tests may have made an answer too old. */
const expectFound = ({ found }: { readonly found: number }, expected: number): void => {
  if (provider === 'sqlite') expect(found).toBe(expected)
  else expect(found).toBeLessThanOrEqual(expected)
}

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** Executes a statement on a connection of its own. */
async function byAnother(sql: string): Promise<void> {
  if (provider !== 'sqlite') return void (await database.reader.$executeRawUnsafe(sql))
  const [{ file }] = await database.reader.$queryRawUnsafe<[{ file: string }]>('PRAGMA database_list')
  const other = new Sqlite(file)
  other.exec(sql)
  other.close()
}

async function during<T>(
  parts: Parameters<typeof startServers>[1],
  work: (running: Running) => Promise<T>,
): Promise<T> {
  const running = await startServers(database, parts)
  try {
    return await work(running)
  } finally {
    await running.close()
  }
}

const told = ({ status, headers, text }: Awaited<ReturnType<ReturnType<Running['as']>>>) => ({
  status,
  headers: [...headers].filter(([name]) => name !== 'date'),
  text,
})

const page = '/api/v1/posts?include=author,tags&page[size]=3'

describe('the example', () => {
  test('answers the same, and reads nothing of the rows from the fourth time on', async () => {
    const { counts, telemetry } = keptCounter()
    await during({ ...(await theExample()), telemetry }, async ({ as }) => {
      const first = told(await as(users.admin)('GET', page))
      await as(users.admin)('GET', page)
      const third = told(await as(users.admin)('GET', page))
      expect(counts).toMatchObject({ found: 0, missed: 1 })
      for (const [found, path] of [
        [1, page],
        [2, page],
      ] as const) {
        expect(told(await as(users.admin)('GET', path))).toEqual(first)
        expectFound(counts, found)
      }
      expect(third).toEqual(first)
    })
  })

  test('tells a client that has the answer that nothing has changed, and HEAD its length', async () => {
    const { counts, telemetry } = keptCounter()
    await during({ ...(await theExample()), telemetry }, async ({ as }) => {
      const ask = as(users.admin)
      const { headers } = await ask('GET', page)
      await ask('GET', page)
      await ask('GET', page)
      const etag = headers.get('ETag') as string
      const unchanged = await ask('GET', page, { headers: { 'If-None-Match': etag } })
      expect([unchanged.status, unchanged.text, unchanged.headers.get('ETag')]).toEqual([304, '', etag])
      const head = await ask('HEAD', page)
      expect([head.status, head.text, head.headers.get('Content-Length')]).toEqual([
        200,
        '',
        headers.get('Content-Length'),
      ])
      expectFound(counts, 2)
      const changed = await ask('GET', page, { headers: { 'If-Match': '"another"' } })
      expect(changed.status).toBe(412)
    })
  })

  test('is new after every commit, whoever makes it', async () => {
    const { counts, telemetry } = keptCounter()
    await during({ ...(await theExample()), telemetry }, async ({ as }) => {
      const { id } = await addPost(database.writer)
      const path = `/api/v1/posts/${id}`
      const titleOf = async () => (await as(users.admin)('GET', path)).body.data.attributes.title
      const rename: Record<string, (title: string) => Promise<unknown>> = {
        'by the API': (title) =>
          as(users.admin)('PATCH', path, { body: { data: { type: 'posts', id: String(id), attributes: { title } } } }),
        'by the client of the application': (title) => database.writer.post.update({ where: { id }, data: { title } }),
        'in a transaction of several statements': (title) =>
          database.writer.$transaction([
            database.writer.post.update({ where: { id }, data: { title: 'Meanwhile' } }),
            database.writer.post.update({ where: { id }, data: { title } }),
          ]),
        // First: its new connection counts from where the last one did, as long as nobody else has committed.
        'while the client had no connection': async (title) => {
          await database.writer.$disconnect()
          await byAnother(`update "Post" set "title" = '${title}' where "id" = ${id}`)
          await database.writer.tag.count()
        },
        'by another program': (title) => byAnother(`update "Post" set "title" = '${title}' where "id" = ${id}`),
      }
      for (const [how, write] of Object.entries(rename)) {
        for (let i = 0; i < 4; i++) await titleOf()
        const before = counts.found
        await titleOf()
        expectFound(counts, before + 1)
        await write(`Renamed ${how}`)
        expect(await titleOf()).toBe(`Renamed ${how}`)
      }
    })
  })

  test('is shared by those who have the same rules, and by nobody else', async () => {
    const { counts, telemetry } = keptCounter()
    await during({ ...(await theExample()), telemetry }, async ({ as }) => {
      const tags = '/api/v1/tags?sort=name'
      for (const user of [users.member3, users.member4, users.member3]) await as(user)('GET', tags)
      const before = counts.found
      await as(users.member5)('GET', tags)
      expectFound(counts, before + 1)
      const me = `/api/v1/users/${users.member3}`
      const emails = []
      for (let i = 0; i < 8; i++)
        emails.push((await as(i % 2 ? users.member4 : users.member3)('GET', me)).body.data.attributes.email)
      expect(emails).toEqual(Array.from({ length: 8 }, (_, i) => (i % 2 ? undefined : 'member3@example.com')))
      expectFound(counts, before + 4)
    })
  })

  test('looks seldom where something is committed between two questions', async () => {
    const { counts, telemetry } = keptCounter()
    await during({ ...(await theExample()), telemetry }, async ({ as }) => {
      const { id } = await addPost(database.writer)
      for (let i = 0; i < 40; i++) {
        await as(users.admin)('GET', `/api/v1/posts/${id}`)
        await database.writer.post.update({ where: { id }, data: { synopsis: `The ${i}th` } })
      }
      expect(counts.found).toBe(0)
      expect(counts.missed).toBeLessThan(9)
    })
  })

  test('is looked for again at once after one commit, however many ask at the same time', async () => {
    const { counts, telemetry } = keptCounter()
    // As a server answers: later, and to all who ask meanwhile.
    const { sql, ...clients } = database as unknown as { readonly sql?: SqlDatabase }
    let asked: Promise<Version> | null = null
    const version = () => {
      asked ??= sleep(200).then(() => {
        asked = null
        return sql?.version?.() ?? 0
      })
      return asked
    }
    const late = sql?.version && { ...sql, version }
    const parts = { ...(await theExample()), telemetry, ...(late && { clients: { ...clients, sql: late } as never }) }
    await during(parts, async ({ as }) => {
      const { id } = await addPost(database.writer)
      const ask = () => as(users.admin)('GET', `/api/v1/posts/${id}`)
      for (let i = 0; i < 4; i++) await ask()
      await database.writer.post.update({ where: { id }, data: { synopsis: 'Changed' } })
      await Promise.all(Array.from({ length: 30 }, ask))
      const before = counts.found
      for (let i = 0; i < 4; i++) await ask()
      expectFound(counts, before + 4)
    })
  })

  test('is read where the database does not say its state, and a read that fails says so itself', async () => {
    const { counts, telemetry } = keptCounter()
    const { sql, ...clients } = database as unknown as { readonly sql?: SqlDatabase }
    let fail: () => Promise<never> = () => Promise.reject(new Error('The connection is gone.'))
    const gone = sql?.version && { ...sql, version: () => fail() }
    const parts = { ...(await theExample()), telemetry, ...(gone && { clients: { ...clients, sql: gone } as never }) }
    await during(parts, async ({ as }) => {
      const ask = async () => (await as(users.admin)('GET', '/api/v1/tags/1')).status
      for (let i = 0; i < 4; i++) expect(await ask()).toBe(200)
      fail = () => {
        throw new Error('The file is locked.')
      }
      expect(await ask()).toBe(200)
      expect(counts.found).toBe(0)
    })
  })

  test('keeps nothing where the application says so', async () => {
    const { counts, telemetry } = keptCounter()
    await during({ ...(await theExample()), telemetry, keptAnswers: false }, async ({ as }) => {
      for (let i = 0; i < 4; i++) await as(users.admin)('GET', page)
      expect(counts).toMatchObject({ found: 0, missed: 0 })
    })
  })
})

describe('what the application decides by code is asked each time', () => {
  let asked = 0
  const own = (
    parts: Partial<ServerParts> & { readonly server?: ServerParts['server'] },
    post: PolicyClass = Open,
  ) => ({
    servers: [plain(parts.server ?? Tags, parts)],
    policies: new Map<string, PolicyClass>([
      ['Tag', post],
      ['Post', Open],
    ]),
  })
  class Tags extends Server {
    override readonly name: string = 'v1'
    override readonly models = ['Tag', 'Post'] as const
  }
  class Open extends Policy {
    override abilities({ can }: Rules<'Tag'>) {
      can(this.reads)
    }
  }
  const tagSchema = (Class: unknown) => ({ schemas: new Map([['Tag', Class as SchemaClass]]) })
  const tag = '/api/v1/tags/1'

  class Computed extends Schema<'Tag'> {
    override fields() {
      return [this.attribute('asked').computed(['name'], () => ++asked)]
    }
  }
  class Narrowed extends Schema<'Tag'> {
    override indexQuery() {
      asked++
      return null
    }
  }
  class Filtered extends Schema<'Tag'> {
    override filters() {
      return [this.filter('fresh', { where: () => (++asked > 0 ? null : null) })]
    }
  }
  class ByMethod extends Policy<'Tag'> {
    override abilities({ can }: Rules<'Tag'>) {
      can('viewAny')
    }
    override view() {
      return ++asked > 0
    }
  }
  class Hooked extends Tags {
    override serving(phase: Serving) {
      phase.read('Tag', () => void asked++)
    }
  }
  class Judged extends Tags {
    override serving(phase: Serving) {
      phase.authorizer(
        class {
          view = () => ++asked > 0
          viewAny = () => true
        } as never,
      )
    }
  }
  class Requested extends ResourceRequest<'Tag'> {
    override authorize() {
      return ++asked > 0
    }
  }
  class Queried extends ResourceQuery<'Tag'> {
    override rules() {
      asked++
      return {}
    }
  }

  test.each([
    ['a computed attribute', own(tagSchema(Computed)), tag],
    ['a computed attribute of what is included', own(tagSchema(Computed)), '/api/v1/posts/1?include=tags'],
    ['indexQuery', own(tagSchema(Narrowed)), '/api/v1/tags'],
    ['a declared filter', own(tagSchema(Filtered)), '/api/v1/tags?filter[fresh]=yes'],
    ['a declared filter in other letters', own(tagSchema(Filtered)), '/api/v1/tags?filter[%66resh]=yes'],
    ['a method of a policy', own({}, ByMethod as PolicyClass), tag],
    ['a read hook', own({ server: Hooked }), tag],
    ['an authorizer', own({ server: Judged }), tag],
    [
      'authorize() of a request class',
      own({ requests: new Map([['Tag', { request: Requested, query: null, collectionQuery: null }]]) as never }),
      tag,
    ],
    [
      'the rules of a query class',
      own({ requests: new Map([['Tag', { request: null, query: Queried, collectionQuery: null }]]) as never }),
      tag,
    ],
  ])('%s', async (_, parts, path) => {
    const { counts, telemetry } = keptCounter()
    await during({ ...parts, telemetry }, async ({ as }) => {
      for (let i = 0; i < 5; i++) {
        const before = asked
        expect((await as(null)('GET', path)).status).toBe(200)
        expect(asked).toBeGreaterThan(before)
      }
      expect(counts.found).toBe(0)
    })
  })

  test('a condition that names the clock', async () => {
    class Timed extends Policy<'Tag'> {
      override abilities({ can }: Rules<'Tag'>) {
        can('viewAny')
        can('view', { name: { not: `${++asked}` } })
      }
    }
    const { counts, telemetry } = keptCounter()
    await during({ ...own({}, Timed as PolicyClass), telemetry }, async ({ as }) => {
      for (let i = 0; i < 5; i++) expect((await as(null)('GET', tag)).status).toBe(200)
      expect(counts).toMatchObject({ found: 0, missed: 0 })
    })
  })

  test('a scope says for whom an answer is kept', async () => {
    class Scoped extends Tags {
      override serving(phase: Serving) {
        const { id } = phase.user as User
        phase.scope('Tag', { id: Number(id) })
      }
    }
    const { counts, telemetry } = keptCounter()
    await during({ ...own({ server: Scoped }), telemetry }, async ({ as }) => {
      const ids = async (user: number) =>
        (await as(user)('GET', '/api/v1/tags')).body.data.map(({ id }: { id: string }) => id)
      for (let i = 0; i < 4; i++) for (const user of [1, 2]) expect(await ids(user)).toEqual([String(user)])
      expectFound(counts, 3)
    })
  })
})
