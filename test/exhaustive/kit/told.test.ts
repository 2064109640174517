import { readWorld } from '@prismapi/testing/internal/kit/leaks/hidden-world'
import { comparePairs, oraclePairs } from '@prismapi/testing/internal/kit/leaks/oracles'
import { type Asker, askersOf } from '@prismapi/testing/internal/kit/tested'
import { type Hidden, leaks } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import type { Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { callers, failureOf, useTested } from '../../support/kit.ts'
import { partOf } from '../../support/night.ts'
import { type Database, exampleWith } from '../../support/servers.ts'

// What `leaks` says of an application whose scopes hold, and whose answers tell of hidden rows all the same: of short
// values, in headers, by totals and by filters of every kind. A middleware tells.

const uuid = (number: number) => `00000000-0000-4000-8000-00000000${number}`
const hiddenVideos = [9001, 9002].map(uuid)

class Hiding extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.scope('Tag', { id: { lt: 900 } })
    phase.scope('Video', { id: { notIn: hiddenVideos } })
  }
}

const video = (number: number, durationSeconds: number) => ({
  id: uuid(number),
  title: `Classified ${number}`,
  url: `https://videos.example.com/classified/${number}`,
  durationSeconds,
})

const addRows = async (db: Database['writer']) => {
  await db.tag.create({ data: { id: 801, name: 'Zoe Undercoverage' } })
  await db.tag.create({ data: { id: 901, name: 'Zoe', posts: { connect: { id: 1 } } } })
  await db.tag.create({ data: { id: 902, name: 'Zoe Undercover' } })
  await db.video.create({ data: video(9001, 770_001) })
  await db.video.create({ data: video(9002, 7) })
}

const { guest = {} } = callers
const hidden: Hidden = { Tag: { id: { gte: 900 } }, Video: { id: { in: hiddenVideos } } }
const honest: Middleware = (_, next) => next()
let spoil = honest
const own = {
  parts: await exampleWith(Hiding),
  prepare: addRows,
  before: ((ctx, next) => spoil(ctx, next)) as Middleware,
}
const { tested, client } = useTested({ ...own, callers: { guest } })

const read = 'v1 tells guest nothing of hidden rows: whatever is read'
const filtered = 'v1 tells guest nothing of hidden rows: whatever is filtered by'
const missing = 'v1 answers guest of hidden rows as of missing ones'

// biome-ignore lint/suspicious/noExplicitAny: documents that are spoilt
type Spoilt = any

/** Changes the documents that these URLs answer. */
const changing =
  (which: RegExp, change: (document: Spoilt) => void): Middleware =>
  async (ctx, next) => {
    await next()
    if (ctx.status !== 200 || !which.test(decodeURIComponent(ctx.url))) return
    const document = JSON.parse(String(ctx.body))
    change(document)
    ctx.body = JSON.stringify(document)
    ctx.set('Content-Type', 'application/vnd.api+json')
  }

const heading =
  (name: string, value: string): Middleware =>
  async (ctx, next) => {
    await next()
    if (ctx.url === '/api/v1/tags') ctx.set(name, value)
  }

const failure = async (how: Middleware, name: string, sample = 20) => {
  spoil = how
  try {
    return (await failureOf(leaks(tested, { client, hidden, sample }), name)).split('\n  ')
  } finally {
    spoil = honest
  }
}

test.each([read, filtered, missing])('nothing is wrong with an honest one: %s', async (name) => {
  expect(await failure(honest, name, 60)).toEqual(['nothing failed'])
})

const inMeta = (meta: object) => changing(/v1\/tags$/, ({ data }) => Object.assign(data[0], { meta }))

const told: readonly (readonly [what: string, how: Middleware, line: string])[] = [
  ['a name of three letters', inMeta({ owner: 'Zoe' }), 'GET /api/v1/tags as guest: tells Zoe at .data.0.meta.owner'],
  [
    'a name that is a piece of one that may be seen',
    inMeta({ owner: 'Zoe Undercover' }),
    'GET /api/v1/tags as guest: tells Zoe Undercover at .data.0.meta.owner',
  ],
  [
    'a number of one digit, by its name',
    inMeta({ durationSeconds: 7 }),
    'GET /api/v1/tags as guest: tells 7 at .data.0.meta.durationSeconds',
  ],
  ['a number', inMeta({ views: 770_001 }), 'GET /api/v1/tags as guest: tells 770001 at .data.0.meta.views'],
  [
    'a link outside of links',
    inMeta({ see: 'https://api.example.org/api/v1/tags/901' }),
    'GET /api/v1/tags as guest: links to a hidden row at .data.0.meta.see',
  ],
  [
    'a link that asks for what follows a hidden row',
    changing(/v1\/tags$/, (document) => {
      document.links.next = `https://api.example.org/api/v1/tags?page[after]=${uuid(9001)}`
    }),
    `GET /api/v1/tags as guest: tells ${uuid(9001)} at .links.next`,
  ],
  [
    'a header with a name',
    heading('X-Owner', 'bob Zoe 5'),
    'GET /api/v1/tags as guest: tells Zoe in the header x-owner',
  ],
  [
    'a header with a link',
    heading('Link', '<https://api.example.org/api/v1/tags/901>; rel="next"'),
    'GET /api/v1/tags as guest: links to a hidden row in the header link',
  ],
]

test.each(told)('%s', async (_, how, line) => {
  expect(await failure(how, read)).toEqual(['Hidden rows are told of:', line])
})

test('a number that is no value of its name is none', async () => {
  expect(await failure(inMeta({ views: 7 }), read)).toEqual(['nothing failed'])
})

test('a total that counts what is on no page', async () => {
  const how = changing(/v1\/posts(\?page|$)/, ({ meta }) => void meta.page.total++)
  expect(await failure(how, read)).toEqual([
    'Hidden rows are told of:',
    expect.stringMatching(
      /^GET \/api\/v1\/posts\?page\[size\]=1000 as guest: its total is \d+, and its pages have \d+ resources$/,
    ),
  ])
})

test('more than what is on all pages', async () => {
  const how = changing(/v1\/posts(\?page|$)/, ({ meta: { page } }) => {
    page.totalMoreThan = page.total
    delete page.total
  })
  expect(await failure(how, read)).toEqual([
    'Hidden rows are told of:',
    expect.stringMatching(
      /^GET \/api\/v1\/posts\?page\[size\]=1000 as guest: its total is more than (\d+), and its pages have \1 resources$/,
    ),
  ])
})

test('a total in a header', async () => {
  expect(await failure(heading('X-Total-Count', '9999'), read)).toEqual([
    'Hidden rows are told of:',
    'GET /api/v1/tags as guest: its total is 9999, and its pages have 13 resources',
  ])
})

test('a total of what a filter finds', async () => {
  const how = changing(/posts\?filter\[author\]\[exists\]=true/, ({ meta }) => void meta.page.total++)
  expect(await failure(how, filtered)).toEqual([
    'Hidden rows are told of:',
    expect.stringMatching(
      /^GET \/api\/v1\/posts\?filter\[author\]\[exists\]=true&page\[size\]=1000 as guest: its total is \d+, and its pages have \d+ resources$/,
    ),
  ])
})

const byNone = 'finds something else than a value that no row has'
const found: readonly (readonly [what: string, type: string, filter: string, told: string])[] = [
  ['a number', 'videos', 'filter[durationSeconds]=770001', byNone],
  ['a number of one digit', 'videos', 'filter[durationSeconds][equals]=7', byNone],
  ['what is as large as a number', 'videos', 'filter[durationSeconds][gte]=770001', 'finds something else than by gt'],
  ['what a text begins with', 'videos', 'filter[title][startsWith]=Classifi', byNone],
  ['a piece of a text', 'videos', 'filter[title][contains]=lassified 900', byNone],
  ['what is like the end of a text', 'videos', 'filter[title][endsWith]=ied 9002', byNone],
  ['a short text, in a list', 'tags', 'filter[name][in]=Zoe', byNone],
  ['what begins a text that may be seen, and is longer', 'videos', 'filter[tags.name][endsWith]=dercover', byNone],
  ['an id behind a relation', 'posts', 'filter[tags]=901', byNone],
]

test.each(found)('a filter by %s', async (_, type, filter, what) => {
  const [asker] = askersOf(tested) as [Asker]
  const { world } = await readWorld(asker.server, client(), { hidden })
  const all = oraclePairs(world).filter(({ url }) => url.startsWith(`/${type}?`))
  const isTold = ({ url }: { readonly url: string }) => decodeURIComponent(url) === `/${type}?${filter}`
  const pairs = [
    ...all.filter(isTold),
    ...partOf(
      all.filter((pair) => !isTold(pair)),
      5,
    ),
  ]
  const get = (path: string) => asker.ask({ method: 'GET', path })
  spoil = (ctx, next) => {
    if (decodeURIComponent(ctx.url) === `/api/v1/${type}?${filter}`) ctx.url = ctx.originalUrl = ctx.path
    return next()
  }
  const leaks = await comparePairs(asker.server.basePath, pairs, get)
  expect(leaks.map(({ url, what }) => [decodeURIComponent(url), what])).toEqual([[`/${type}?${filter}`, what]])
})

test('a filter that finds whatever there is', async () => {
  const which = /v1\/posts\?filter\[tags\]=/
  const how: Middleware = (ctx, next) => {
    if (which.test(ctx.url)) ctx.url = ctx.originalUrl = ctx.path
    return next()
  }
  expect(await failure(how, filtered, 0)).toEqual([
    'Hidden rows are told of:',
    'GET /api/v1/posts?filter[tags]=2000000011 as guest: finds something by a value that no row has',
  ])
})

describe('somebody who is not known', () => {
  const { tested, client } = useTested({ ...own, callers: { admin: { Authorization: 'Bearer typo' } } })

  test('is no test of any kind', async () => {
    const blind = 'Nothing is seen:\n  admin was answered 200 by no URL of /api/v1, so nothing is tested.'
    for (const { run } of leaks(tested, { client, hidden })) await expect(run()).rejects.toThrow(blind)
  })
})

test('a model that there is not is a mistake of the test', () => {
  const misspelt = { Tga: { id: 1 } } as Hidden
  expect(() => leaks(tested, { client, hidden: misspelt })).toThrow(
    'leaks({ hidden: { Tga } }): no such model. Name one of the Prisma schema: User, Profile, Post, Tag, Video, Comment, IdempotencyKey, Change.',
  )
  expect(() => leaks(tested, { client, hidden: {} })).toThrow(
    'leaks({ hidden: {} }): no model is named. Say which rows or values are hidden.',
  )
})
