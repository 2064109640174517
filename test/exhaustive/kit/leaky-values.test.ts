import { readWorld } from '@prismapi/testing/internal/kit/leaks/hidden-world'
import { comparePairs, oraclePairs } from '@prismapi/testing/internal/kit/leaks/oracles'
import { nearbyUrls, readingUrls } from '@prismapi/testing/internal/kit/leaks/questions'
import { compareValueWrites } from '@prismapi/testing/internal/kit/leaks/value-writes'
import { walk } from '@prismapi/testing/internal/kit/leaks/walk'
import { askersOf } from '@prismapi/testing/internal/kit/tested'
import { type HiddenValues, leaks, removeHidden } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import { Policy, type Rules, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import V2 from '../../../src/app/v2/server.ts'
import { callers, failureOf, shownBy, useTested } from '../../support/kit.ts'
import { type Database, exampleWith } from '../../support/servers.ts'

// What `leaks` says of values that rules about fields mean to hide, at each door by which they could be told.

const { member = {} } = callers
const read = 'v2 tells member nothing of hidden rows: whatever is read'
const hiddenValues: HiddenValues = {
  User: { email: { id: { not: 3 } }, videos: { id: { not: 3 } } },
  Video: { rating: { ownerId: { not: 3 } } },
  Post: { title: { authorId: 4 } },
}

class HidingUsers extends Policy<'User'> {
  override abilities({ can, cannot }: Rules<'User'>, user: User | null) {
    can(this.reads)
    can('update', 'name')
    cannot('view', ['email', 'videos'])
    if (user) can('view', ['email', 'videos'], { id: user.id })
  }
}
class HidingVideos extends Policy<'Video'> {
  override abilities({ can, cannot }: Rules<'Video'>, user: User | null) {
    can(this.reads)
    cannot('view', 'rating')
    if (user) can('view', 'rating', { ownerId: user.id })
  }
}
class HidingPosts extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>) {
    can(this.reads)
    cannot('view', 'title', { authorId: 4 })
  }
}
/** They mean to hide the same, and do not. */
class ShowingUsers extends Policy<'User'> {
  override abilities({ can, cannot }: Rules<'User'>) {
    can(this.reads)
    can('update')
    cannot('update', 'email')
  }
}
class ShowingVideos extends Policy<'Video'> {
  override abilities({ can }: Rules<'Video'>) {
    can(this.reads)
  }
}

class ShowingPosts extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can(this.reads)
  }
}

const example = await exampleWith(V2)
const withPolicies = (
  User: new () => Policy<'User'>,
  Video: new () => Policy<'Video'>,
  Post: new () => Policy<'Post'>,
) => ({
  ...example,
  policies: new Map([
    ...example.policies,
    ...Object.entries({ User, Video, Post }),
  ] as never) as typeof example.policies,
})
const change = (db: Database['writer']) => removeHidden({ resources, client: db, hiddenValues })

function useValues(parts: typeof example) {
  const own = { parts, callers: { member } }
  const { tested, client } = useTested(own)
  const twin = useTested({ ...own, prepare: change })
  const options = { client, hiddenValues }
  return {
    ...{ tested, client, twin: twin.tested },
    alone: leaks(tested, { ...options, writes: true }),
    beside: leaks(tested, { ...options, without: twin.tested.app }),
  }
}

describe('rules about fields that hold', () => {
  const { alone, beside } = useValues(withPolicies(HidingUsers, HidingVideos, HidingPosts))
  describe.each([
    ['alone', alone],
    ['beside the same with other values', beside],
  ])('%s', (_, checks) => {
    test.each(checks)('$name', ({ run }) => run(), 120_000)
  })
})

describe('values that are not hidden', () => {
  const { alone, client, tested, twin } = useValues(withPolicies(ShowingUsers, ShowingVideos, ShowingPosts))
  const worldOf = async () => {
    const [asker] = askersOf(tested)
    if (!asker) throw new Error('Nobody asks.')
    const { world, near } = await readWorld(asker.server, client(), { hiddenValues })
    return { asker, world, near }
  }
  const [get, other] = [tested, twin].map((each) => (path: string) => {
    const [asker] = askersOf(each)
    if (!asker) throw new Error('Nobody asks.')
    return asker.ask({ method: 'GET', path })
  }) as [never, never]

  test('are told in a line for each answer', async () => {
    expect((await failureOf(alone, read)).split('\n  ')).toContain(
      'GET /api/v2/users as member: shows email at .data.0.attributes; shows videos at .data.0.relationships; and 25 more',
    )
  })

  test.each([
    [
      'an attribute',
      '/users/4',
      /shows email at .data.attributes; .*tells member4@example.com at .data.attributes.email/,
    ],
    ['an include', '/posts?include=author', /shows email at .included/],
    ['a relationship', '/users?include=videos', /shows videos at .data.\d.relationships/],
    ['the URL of a relationship', '/users/4/relationships/videos', /answers what is hidden/],
    ['a related URL', '/users/4/videos', /answers what is hidden/],
    ['an order', '/users?sort=email', /is not what it is without/],
    ['an order whose cursors carry it', '/posts?sort=title', /is not what it is without/],
    ['a figure', '/videos?withStats[*]=count&withStats[rating]=count,sum,avg,min,max', /is not what it is without/],
  ])('are found by %s', async (_, url, what) => {
    const { world, near } = await worldOf()
    expect([...nearbyUrls(world, near), ...readingUrls(world)]).toContain(url)
    const found = await walk(world, [url], { get, twin: other })
    expect(found.leaks.map((leak) => leak.what).join('; ')).toMatch(what)
  })

  test('are found by filters', async () => {
    const { asker, world } = await worldOf()
    const pairs = oraclePairs(world).filter(({ url, isNear }) => isNear && /^\/users\?filter\[email\]/.test(url))
    const found = await comparePairs(asker.server.basePath, pairs, get)
    const operators = ['', 'equals', 'not', 'in', 'notIn', 'gte', 'lte', 'contains', 'startsWith', 'endsWith']
    const asked = operators.map((each) => `/users?filter[email]${each && `[${each}]`}`)
    expect([...new Set(found.map(({ url }) => url.split('=')[0]))].sort()).toEqual(asked.sort())
  })

  test('are found by writes and operations, in what they answer and in what they refuse', async () => {
    const { asker, ...found } = await worldOf()
    const told = await compareValueWrites(found, asker.ask)
    const lines = new Set(told.map(({ request: { method, path }, what }) => `${method} ${path}: ${what.slice(0, 31)}`))
    for (const [request, at] of [
      ['PATCH /api/v2/users/1', '.data'],
      ['POST /api/v2/operations', '.atomic:results.0.data'],
    ] as const) {
      expect([...lines]).toContain(`${request}: ${`shows email at ${at}.attributes`.slice(0, 31)}`)
      expect([...lines]).toContain(`${request}: is told from another value: …20`)
    }
  })
})

describe('entity tags', () => {
  const tagged =
    (tag: string): Middleware =>
    async (ctx, next) => {
      await next()
      if (ctx.path === '/api/v2/users/4') ctx.set('ETag', tag)
    }
  const parts = withPolicies(HidingUsers, HidingVideos, HidingPosts)
  const planted = (tag: string, prepare?: typeof change) =>
    useTested({ parts, callers: { member }, before: tagged(tag), ...(prepare && { prepare }) })
  const [plain, one, two] = [planted('"member4@example.com"'), planted('"1"'), planted('"2"', change)]

  test('that have the value are found', async () => {
    const checks = leaks(plain.tested, { client: plain.client, hiddenValues, sample: 0 })
    const lines = (await failureOf(checks, read)).split('\n  ')
    expect(lines).toEqual(expect.arrayContaining([...shownBy('docs/testing-kit.md', 'leaky-values')]))
  })

  test('that follow from the value are found beside another one', async () => {
    const checks = leaks(one.tested, { client: one.client, hiddenValues, sample: 0, without: two.tested.app })
    expect(await failureOf(checks, read)).toMatch(
      /GET \/api\/v2\/users\/4 as member: is not what it is without the hidden rows: ….+ etag: "1" \/ ….+ etag: "2"/,
    )
  })
})

describe('a test that cannot be one', () => {
  test.each([
    [{ User: { emial: {} } }, 'no field that is hidden. Name a column or a relation of the Prisma schema.'],
    [{ User: { id: {} } }, 'no field that is hidden. The key of a row is always seen.'],
    [{ Usr: { email: {} } }, 'no such model. Name one of the Prisma schema.'],
    [{}, 'no model is named. Say which rows or values are hidden.'],
  ])('%j is refused', (values, message) => {
    const tested = { resources, servers: example.servers, app: 'http://127.0.0.1:1' }
    expect(() => leaks(tested, { client: {}, hiddenValues: values as HiddenValues })).toThrow(message)
  })
})
