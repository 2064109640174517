import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'
import { forbidden } from 'prismapi'
import type { RateLimitOptions } from 'prismapi/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { redisAnswers, redisClient } from '../../support/redis.ts'
import { type Ask, type Database, type Running, startServers, theExample } from '../../support/servers.ts'

// By the draft of the IETF's working group for HTTP APIs: draft-ietf-httpapi-ratelimit-headers-10.

let database: Database
const running: Running[] = []
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(async () => {
  for (const each of running) await each.close()
  await database.close()
})

async function start(rateLimit?: RateLimitOptions) {
  const servers = await startServers(database, { ...(await theExample()), ...(rateLimit && { rateLimit }) })
  running.push(servers)
  return servers
}

const tags = (ask: Ask) => ask('GET', '/api/v1/tags/1')

/** The statuses of that many requests, one after the other. */
async function statuses(ask: Ask, times: number): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < times; i++) found.push((await tags(ask)).status)
  return found
}

describe('three requests a minute', () => {
  const limit = { points: 3, duration: 60 }

  test('are answered with what is left, and the fourth is 429', async () => {
    const { as } = await start(limit)
    for (const left of [2, 1, 0]) {
      const { status, headers } = await tags(as(users.member3))
      expect(status).toBe(200)
      expect(headers.get('RateLimit-Policy')).toBe('"default";q=3;w=60')
      expect(headers.get('RateLimit')).toMatch(new RegExp(`^"default";r=${left};t=(60|59|58|57)$`))
    }
    const refused = await tags(as(users.member3))
    const seconds = refused.headers.get('Retry-After')
    expect(Number(seconds)).toBeGreaterThan(50)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${seconds}`)
    expect(refused.headers.get('Content-Type')).toBe('application/vnd.api+json')
    expect(refused.headers.get('Cache-Control')).toBe('no-store')
    expect(refused.body).toEqual({
      jsonapi: { version: '1.0' },
      errors: [{ status: '429', title: 'Too Many Requests', detail: `Try again in ${seconds} seconds.` }],
    })
  })

  test('are those of one user, wherever they come from; guests have their address', async () => {
    const { as } = await start(limit)
    expect(await statuses(as(users.member3), 4)).toEqual([200, 200, 200, 429])
    expect(await statuses(as(users.member4), 1)).toEqual([200])
    expect(await statuses(as(null), 4)).toEqual([200, 200, 200, 429])
    expect(await statuses(as(users.member5), 1)).toEqual([200])
  })

  test('are those of all servers together', async () => {
    const { as } = await start(limit)
    const ask = as(users.member3)
    await ask('GET', '/api/v1/tags/1')
    await ask('GET', '/api/v2/tags/1')
    expect((await ask('GET', '/api/v2/tags/1')).status).toBe(200)
    expect((await ask('GET', '/api/v1/tags/1')).status).toBe(429)
  })

  test('are whatever they ask for: errors, writes, operations', async () => {
    const { as } = await start(limit)
    const ask = as(users.admin)
    expect((await ask('GET', '/api/v1/tags/0')).status).toBe(404)
    expect((await ask('POST', '/api/v1/tags', { body: { data: {} } })).status).toBe(400)
    const operations = (await ask('POST', '/api/v2/operations', {
      body: { 'atomic:operations': [] },
      headers: { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' },
    })) as { status: number }
    expect(operations.status).toBeLessThan(429)
    const before = await database.writer.tag.count()
    const body = { data: { type: 'tags', attributes: { name: 'one too many' } } }
    expect((await ask('POST', '/api/v1/tags', { body })).status).toBe(429)
    expect(await database.writer.tag.count()).toBe(before)
  })

  test('may be refused credentials: who guesses is stopped', async () => {
    const { as } = await start(limit)
    const guess = { headers: { Authorization: 'Bearer a.b.c' } }
    const found: number[] = []
    for (let i = 0; i < 4; i++) found.push((await as(null)('GET', '/api/v1/tags/1', guess)).status)
    expect(found).toEqual([401, 401, 401, 429])
    expect(await statuses(as(users.member3), 1)).toEqual([200])
  })

  test.each<[string, (ctx: Context) => never, number]>([
    ['ctx.throw(401)', (ctx) => ctx.throw(401), 401],
    [
      'forbidden',
      () => {
        throw forbidden('Blocked.')
      },
      403,
    ],
  ])('may be credentials refused by %s', async (_, refuse, status) => {
    const parts = { ...(await theExample()), rateLimit: limit, authenticate: (ctx: Context) => refuse(ctx) }
    const servers = await startServers(database, parts)
    running.push(servers)
    expect(await statuses(servers.as(null), 4)).toEqual([status, status, status, 429])
  })

  test('are no more for who says that they come from elsewhere', async () => {
    const { as } = await start(limit)
    const found: number[] = []
    for (let i = 0; i < 4; i++)
      found.push((await as(null)('GET', '/api/v1/tags/1', { headers: { 'X-Forwarded-For': `192.0.2.${i}` } })).status)
    expect(found).toEqual([200, 200, 200, 429])
  })
})

test('when the window is over, they begin anew', async () => {
  const { as } = await start({ points: 1, duration: 1 })
  expect(await statuses(as(null), 2)).toEqual([200, 429])
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect(await statuses(as(null), 1)).toEqual([200])
})

test('what users are counted by can be said', async () => {
  const { as } = await start({ points: 1, duration: 60, keyOf: ({ role }) => role })
  expect((await statuses(as(users.member3), 1)).concat(await statuses(as(users.member4), 1))).toEqual([200, 429])
})

test('without a limit there are no headers of one', async () => {
  const { as } = await start()
  const { headers } = await tags(as(null))
  expect([headers.get('RateLimit'), headers.get('RateLimit-Policy')]).toEqual([null, null])
})

describe('points', () => {
  const page = (ask: Ask, size: number) => ask('GET', `/api/v1/videos?page[size]=${size}`)
  const left = ({ headers }: Awaited<ReturnType<Ask>>) => Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])

  test('a request takes its price, before anything is read', async () => {
    const { as } = await start({ points: 1000, per: 60, by: 'cost' })
    const first = await page(as(null), 10)
    expect(first.status).toBe(200)
    expect(first.headers.get('RateLimit-Policy')).toBe('"default";q=1000;w=60')
    expect(left(first)).toBeLessThan(900)
    const queries = await database.queriesOf(async () => {
      const refused = await page(as(null), 100)
      expect([refused.status, left(refused)]).toEqual([429, 0])
    })
    expect(queries).toEqual([])
    expect((await tags(as(users.member3))).status).toBe(200)
  })

  test('what costs nothing is one point', async () => {
    const { as } = await start({ points: 3, per: 60, by: 'cost' })
    expect(await statuses(as(null), 4)).toEqual([200, 200, 200, 429])
  })
})

test.each([
  [{ points: 10, per: 0, by: 'cost' as const }, 'per', '0'],
  [{ points: 0, duration: 60 }, 'points', '0'],
  [{ points: 1.5, duration: 60 }, 'points', '1.5'],
  [{ points: 10, duration: -1 }, 'duration', '-1'],
  [{ points: 10, duration: Number.NaN }, 'duration', 'NaN'],
])('a limit that is none is found at boot: %j', async (limit, name, value) => {
  await expect(start(limit)).rejects.toThrow(
    `createApi({ rateLimit: { ${name} } }): pass a whole number from 1 on, not ${value}.`,
  )
})

// `npm test` needs nothing but SQLite.
describe.skipIf(!redisAnswers)('in Redis', () => {
  test('two processes count together', async () => {
    const [one, other] = [redisClient(), redisClient()]
    await Promise.all([one.connect(), other.connect()])
    // The database has been used by other runs.
    const run = randomUUID()
    const limit = { points: 3, duration: 60, keyOf: () => run }
    const first = (await start({ ...limit, redis: one })).as(users.member3)
    const second = (await start({ ...limit, redis: other })).as(users.member3)
    expect([...(await statuses(first, 2)), ...(await statuses(second, 2)), ...(await statuses(first, 1))]).toEqual([
      200, 200, 200, 429, 429,
    ])
    one.disconnect()
    other.disconnect()
  })
})

describe('without Redis', () => {
  test('while nobody listens there, each process counts alone', async () => {
    const redis = redisClient({ port: 1 })
    redis.connect().catch(() => {})
    const { as } = await start({ points: 2, duration: 60, redis })
    expect(await statuses(as(null), 3)).toEqual([200, 200, 429])
    redis.disconnect()
  })

  test('while it takes the question and does not answer, requests wait half a second for it, no longer', async () => {
    // A client whose commands are on their way for ever.
    const redis = { status: 'ready', defineCommand() {}, rlflxIncr: () => new Promise(() => {}) }
    const { as } = await start({ points: 2, duration: 60, redis })
    const began = performance.now()
    expect(await statuses(as(null), 1)).toEqual([200])
    const took = performance.now() - began
    expect(took).toBeGreaterThan(490)
    expect(took).toBeLessThan(10_000)
  })
})
