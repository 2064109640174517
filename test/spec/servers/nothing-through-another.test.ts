import { Policy, type Rules, Schema, Server, type Serving, type User } from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import type { ServerParts } from 'prismapi/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { openEvents } from '../../support/event-stream.ts'
import { type Database, plain, type Running, startServers, type TextAnswer } from '../../support/servers.ts'

// Two servers of one process have the same models, and differ in scopes and policies. Whatever either of them keeps from one request for
// another, each answers as it does where it is the only server: what is kept of one is of no use to the other.

class Cursors extends Schema<'Post'> {
  override pagination() {
    return new CursorProfilePagination()
  }
}

class Desk extends Server {
  override readonly name = 'desk'
  override readonly version = '1.1'
  override readonly live = process.env.TEST_DATABASE !== 'mysql'
  override readonly showsCan = true
}

class Site extends Desk {
  override readonly name = 'site' as never
  override readonly viewEverywhere = true
  override serving(phase: Serving): void {
    phase.scope('Post', { publishedAt: { not: null }, id: { gt: 5 } })
    phase.scope('Comment', { post: { id: { gt: 5 } } })
    phase.scope('User', (user) => (user ? { id: user.id } : { id: { gt: 2, lt: 6 } }))
  }
}

const models = ['Post', 'User', 'Comment', 'Tag'] as const

const everything = (): ServerParts['policies'] =>
  new Map(
    models.map((model) => [
      model,
      class extends Policy<'Post'> {
        override abilities({ can }: Rules<'Post'>) {
          can([this.reads, this.writes, 'create'])
        }
      } as never,
    ]),
  )

class SitePost extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can(this.reads)
    if (!user) cannot('view', ['content', 'slug'])
    cannot('view', { authorId: 4 })
  }
}

class SiteUser extends Policy<'User'> {
  override abilities({ can, cannot }: Rules<'User'>) {
    can(['viewAny', 'view', 'viewPosts'])
    cannot('view', ['email', 'role'])
  }
}

const policies = everything() as Map<string, never>
const schemas = new Map([['Post', Cursors as never]])
const desk = plain(Desk, { schemas })
const site = plain(Site, {
  schemas,
  policies: new Map([
    ['Post', SitePost as never],
    ['User', SiteUser as never],
  ]),
})

let database: Database
let both: Running
let alone: Readonly<Record<'desk' | 'site', Running>>

beforeAll(async () => {
  database = await openTestDatabase()
  both = await startServers(database, { servers: [desk, site], policies })
  alone = {
    desk: await startServers(database, { servers: [desk], policies }),
    site: await startServers(database, { servers: [site], policies }),
  }
})
afterAll(async () => {
  for (const each of [both, alone.desk, alone.site]) await each.close()
  await database.close()
})

const callers = [null, 3, 4, users.admin]
const paths = [
  '/posts',
  '/posts/1',
  '/posts/6',
  '/posts/8?include=author,tags',
  '/posts?include=author&page[size]=5',
  '/posts?filter[title][contains]=1&sort=title',
  '/posts?filter[author.email][contains]=member',
  '/posts?withCount=comments&page[size]=3',
  '/posts?withStats[*]=count&page[size]=1',
  '/posts?sort=-author.email&page[size]=5',
  '/posts?fields[posts]=content,slug&page[size]=4',
  '/posts/6/relationships/tags',
  '/posts/6/comments',
  '/users',
  '/users/3',
  '/users/3/posts',
  '/users?filter[email]=member3@example.com',
  '/users?include=posts&page[size]=2',
  '/comments?include=post&page[size]=5',
  '/comments?filter[post]=1',
  '/tags?include=posts',
  '/openapi.json',
  '',
]

/** What was told, but for what differs from process to process. */
const said = ({ status, headers, text }: TextAnswer) => ({ status, etag: headers.get('ETag'), text })

/** A walk that is the same each time. */
function* shuffled<T>(all: readonly T[], seed: number): Generator<T> {
  const left = [...all]
  for (let state = seed; left.length > 0; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield left.splice(state % left.length, 1)[0] as T
  }
}

describe('requests of both servers, in any order', () => {
  const asked = (['desk', 'site'] as const).flatMap((name) =>
    callers.flatMap((caller) => paths.map((path) => ({ name, caller, path }))),
  )

  test.each([1, 2026])('are answered as each of them answers by itself: walk %i', async (seed) => {
    const different: unknown[] = []
    for (const { name, caller, path } of shuffled([...asked, ...asked], seed)) {
      const [got, expected] = await Promise.all([
        both.as(caller)('GET', `/api/${name}${path}`),
        alone[name].as(caller)('GET', `/api/${name}${path}`),
      ])
      if (JSON.stringify(said(got)) !== JSON.stringify(said(expected))) different.push([name, caller, path])
    }
    expect(different).toEqual([])
  })

  test('and the servers do differ, or nothing were told by this', async () => {
    const bodies = await Promise.all(
      ['desk', 'site'].map(
        async (name) => (await both.as(3)('GET', `/api/${name}/posts?page[size]=100`)).body.data.length,
      ),
    )
    expect(bodies[0]).toBeGreaterThan(bodies[1])
  })
})

describe('what one server has given is of no use to the other', () => {
  const get = (name: string, path: string, headers = {}) => both.as(null)('GET', `/api/${name}${path}`, { headers })

  test('a cursor', async () => {
    for (const [from, to] of [
      ['desk', 'site'],
      ['site', 'desk'],
    ] as const) {
      const { search } = new URL((await get(from, '/posts?page[size]=2')).body.links.next)
      const [own, other] = [await get(from, `/posts${search}`), await get(to, `/posts${search}`)]
      expect([own.status, other.status, other.body.errors[0].source]).toEqual([200, 400, { parameter: 'page[after]' }])
    }
  })

  test('an entity tag', async () => {
    const tag = async (name: string) => (await get(name, '/posts/6')).headers.get('ETag') as string
    const [ofDesk, ofSite] = [await tag('desk'), await tag('site')]
    const statuses = await Promise.all(
      [
        ['desk', ofDesk],
        ['site', ofSite],
        ['site', ofDesk],
        ['desk', ofSite],
      ].map(async ([name, etag]) => (await get(name as string, '/posts/6', { 'If-None-Match': etag })).status),
    )
    expect(statuses).toEqual([304, 304, 200, 200])
  })

  test('an answer to an Idempotency-Key', async () => {
    const ask = (name: string, user: number) =>
      both.as(user)('POST', `/api/${name}/tags`, {
        body: { data: { type: 'tags', attributes: { name: `of ${name}` } } },
        headers: { 'Idempotency-Key': 'of-both' },
      })
    const answers = [await ask('desk', 3), await ask('site', 3), await ask('desk', 3)]
    expect(answers.map(({ status, headers }) => [status, headers.get('Idempotency-Replayed')])).toEqual([
      [201, null],
      [201, null],
      [201, 'true'],
    ])
  })

  test.skipIf(process.env.TEST_DATABASE === 'mysql')('the place of a stream', async () => {
    const begun = async (name: string, headers = {}) => {
      const stream = await openEvents(`${both.at}/api/${name}/posts?fields[posts]=title&page[size]=3`, headers)
      const events = await stream.until((all) => all.some(({ event }) => event === 'snapshot'))
      await stream.close()
      return events
    }
    const [first] = await begun('desk')
    const there = await begun('site', { 'Last-Event-ID': first?.id })
    const shown = there.at(-1)?.data.data.map(({ id }: { id: string }) => Number(id) > 5)
    expect([first?.event, there.map(({ event }) => event), new Set(shown)]).toEqual([
      'snapshot',
      ['reset', 'snapshot'],
      new Set([true]),
    ])
  })
})
