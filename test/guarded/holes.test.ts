import { meta } from 'prismapi'
import type { ServerParts } from 'prismapi/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import UserSchema from '../../src/app/v1/user.schema.ts'
import { users } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { guardedExample } from '../support/guarded.ts'
import { Holed, Scoped, withoutIds } from '../support/holed.ts'
import { videoId } from '../support/seeded.ts'
import { type Ask, type Database, exampleWith, type Running, startServers } from '../support/servers.ts'

// A framework with every hole at once: it knows no scope, and asks no policy. What it lets through on a database that is not
// guarded shows that each hole is one; on a guarded database each of them has to be refused.

const { member3 } = users

/** What no caller but its author and the staff sees: post 5 is a draft of member 8. */
const draft = 5

interface Hole {
  /** What was forgotten. */
  readonly forgets: string
  readonly as: number | null
  readonly method: string
  readonly path: string
  readonly data?: object | readonly object[]
}

const reads: readonly Hole[] = [
  { forgets: 'the scope of a look-up by key', as: null, method: 'GET', path: `/posts/${draft}` },
  { forgets: 'the scope of a collection', as: null, method: 'GET', path: '/posts' },
  { forgets: 'the scope of a total', as: member3, method: 'GET', path: '/posts?page[number]=1&page[size]=1' },
  { forgets: 'the scope of an include', as: null, method: 'GET', path: '/users/8?include=posts' },
  { forgets: 'the scope behind a to-one include', as: null, method: 'GET', path: '/comments?include=commentable' },
  { forgets: 'the scope of a related URL', as: member3, method: 'GET', path: '/users/8/posts' },
  { forgets: 'the scope of linkage', as: null, method: 'GET', path: '/users/8/relationships/posts' },
  { forgets: 'the scope behind a many-to-many', as: null, method: 'GET', path: '/tags/1/relationships/posts' },
  { forgets: 'the scope of what a filter crosses', as: null, method: 'GET', path: '/users?filter[posts.slug]=post-5' },
  { forgets: 'the scope of a filter', as: member3, method: 'GET', path: '/posts?filter[slug]=post-5' },
  { forgets: 'the scope of an include by links', as: null, method: 'GET', path: '/tags/1?include=posts' },
]

const title = { type: 'posts', attributes: { title: 'Taken over' } }
const comment = { type: 'comments', attributes: { content: 'Taken over' } }
const tag = { type: 'tags', attributes: { name: 'of-a-guest' } }

const writes: readonly Hole[] = [
  { forgets: 'to ask who may update', as: member3, method: 'PATCH', path: '/posts/1', data: { ...title, id: '1' } },
  { forgets: 'the scope of an update', as: member3, method: 'PATCH', path: '/posts/5', data: { ...title, id: '5' } },
  { forgets: 'to ask who may delete', as: member3, method: 'DELETE', path: '/comments/2' },
  { forgets: 'to ask who may delete softly', as: member3, method: 'DELETE', path: '/posts/3' },
  { forgets: 'to ask who may create', as: null, method: 'POST', path: '/tags', data: tag },
  { forgets: 'whose comment it is', as: member3, method: 'PATCH', path: '/comments/1', data: { ...comment, id: '1' } },
  {
    forgets: 'whose profile it is',
    ...{ as: member3, method: 'PATCH', path: '/profiles/4' },
    data: { type: 'profiles', id: '4', attributes: { bio: 'Taken over' } },
  },
  {
    forgets: 'whose account it is',
    ...{ as: member3, method: 'PATCH', path: '/users/4' },
    data: { type: 'users', id: '4', attributes: { name: 'Taken over' } },
  },
  {
    forgets: 'to ask who may make tags',
    ...{ as: member3, method: 'POST', path: '/tags', data: { type: 'tags', attributes: { name: 'taken-over' } } },
  },
  { forgets: 'to ask who may take tags away', as: member3, method: 'DELETE', path: '/tags/12' },
  { forgets: 'to ask who may run an action', as: member3, method: 'POST', path: `/posts/${draft}/-actions/publish` },
  {
    forgets: 'whose video it is',
    ...{ as: member3, method: 'PATCH', path: `/videos/${videoId(1)}` },
    data: { type: 'videos', id: videoId(1), attributes: { title: 'Taken over' } },
  },
  {
    forgets: 'who may link',
    ...{ as: null, method: 'DELETE', path: '/posts/1/relationships/tags', data: [{ type: 'tags', id: '3' }] },
  },
]

let guarded: Database
let plain: Database
let running: { readonly intact: Running; readonly open: Running; readonly closed: Running }
let clients: NonNullable<Awaited<ReturnType<typeof guardedExample>>>

const holed = async (): Promise<Parameters<typeof startServers>[1]> => {
  const { policies, servers } = await exampleWith(Holed as ServerParts['server'])
  return { policies, servers }
}

beforeAll(async () => {
  guarded = await openTestDatabase()
  plain = await openTestDatabase()
  const opened = await guardedExample(guarded)
  if (!opened) throw new Error('Run it guarded: npx vitest run --project postgres-guarded test/guarded')
  clients = opened
  running = {
    intact: await startServers(plain, { ...(await exampleWith(Scoped)), clients: plain }),
    open: await startServers(plain, { ...(await holed()), clients: plain }),
    closed: await startServers(guarded, { ...(await holed()), clients }),
  }
})

afterAll(async () => {
  for (const server of Object.values(running ?? {})) await server.close()
  await clients?.close()
  await guarded?.close()
  await plain?.close()
})

const asked = ({ as, method, path, data }: Hole, server: Running) => {
  const ask: Ask = server.as(as)
  return ask(method, `/api/v1${path}`, data ? { body: { data } } : {})
}

test('there are twenty holes and more', () => {
  expect(reads.length + writes.length).toBeGreaterThanOrEqual(20)
})

test.each(reads)('a framework that forgets $forgets shows no more than it should', async (hole) => {
  const [intact, open, closed] = [
    await asked(hole, running.intact),
    await asked(hole, running.open),
    await asked(hole, running.closed),
  ]
  expect(open.text).not.toBe(intact.text)
  expect(withoutIds(closed.text)).toBe(withoutIds(intact.text))
})

const tables = ['user', 'profile', 'post', 'tag', 'comment', 'video'] as const

const rowsOf = async (database: Database) => ({
  ...Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => [
        table,
        await (database.writer[table] as unknown as { findMany(args: object): Promise<unknown> }).findMany({
          orderBy: { id: 'asc' },
        }),
      ]),
    ),
  ),
  links: await database.writer.$queryRawUnsafe('SELECT * FROM "_PostToTag" ORDER BY "A", "B"'),
})

test.each(writes)('a framework that forgets $forgets changes nothing', async (hole) => {
  const before = await rowsOf(guarded)
  await asked(hole, running.closed)
  expect(await rowsOf(guarded)).toEqual(before)
  const open = await rowsOf(plain)
  await asked(hole, running.open)
  expect(await rowsOf(plain)).not.toEqual(open)
})

/** Actions that forget to say which rows they are about: the statement reads no column, so no policy for SELECT is asked. */
class Blind extends UserSchema {
  override actions() {
    const slugs = async (posts: { findMany(args: object): Promise<{ slug: string }[]> }) =>
      meta({ slugs: (await posts.findMany({ orderBy: { id: 'asc' } })).map(({ slug }) => slug) })
    return [
      this.action('look', { on: 'collection', handle: ({ db }) => slugs(db.post) }),
      this.action('touch', {
        on: 'collection',
        async handle({ db }) {
          await db.post.updateMany({ data: { updatedAt: new Date() } })
          return slugs(db.post)
        },
      }),
      this.action('insert', {
        on: 'collection',
        async handle({ db }) {
          const taken = {
            id: draft,
            title: 'Mine',
            slug: 'mine',
            content: 'Mine.',
            authorId: member3,
            deletedAt: new Date(),
          }
          await db.post.createMany({ data: [taken], skipDuplicates: true } as never)
          return slugs(db.post)
        },
      }),
    ]
  }
}

test('an action that writes without a condition changes no row of others, and makes none of them visible', async () => {
  const { policies, servers } = await exampleWith(Holed as ServerParts['server'])
  const blind = servers.map((parts) => ({ ...parts, schemas: new Map([...parts.schemas, ['User', Blind as never]]) }))
  const server = await startServers(guarded, { policies, servers: blind, clients })
  const ask = (action: string) => server.as(member3)('POST', `/api/v1/users/-actions/${action}`)
  try {
    const { body } = await ask('look')
    expect(body.meta.slugs).not.toContain(`post-${draft}`)
    const before = await rowsOf(guarded)
    expect((await ask('insert')).body.meta).toEqual(body.meta)
    expect(await rowsOf(guarded)).toEqual(before)
    const others = () => guarded.writer.post.findMany({ where: { authorId: { not: member3 } }, orderBy: { id: 'asc' } })
    const untouched = await others()
    // Posts of others are not its to link either, so that the statement reaches none of them.
    expect((await ask('touch')).body.meta).toEqual(body.meta)
    expect(await others()).toEqual(untouched)
  } finally {
    await server.close()
  }
})
