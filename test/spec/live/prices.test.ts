import { afterEach, describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { openEvents } from '../../support/event-stream.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// A stream reads all of what it watches: that has its price and its end, as a GET without pages has.

class Priced extends V2 {
  override readonly limits = { maxPageSize: 100, cost: 10_000 }
}
class Small extends V2 {
  override readonly limits = { maxPageSize: 100, resources: 500 }
}
const priced = useServers(() => exampleWith(Priced))
const small = useServers(() => exampleWith(Small))
const counted = useServers(async () => ({
  ...(await exampleWith(V2)),
  rateLimit: { by: 'cost' as const, points: 100_000, per: 3600 },
}))
const paid = useServers(async () => ({
  ...(await exampleWith(V2)),
  rateLimit: { by: 'cost' as const, points: 100_000_000, per: 3600 },
}))
const running = useServers(async () => ({
  ...(await exampleWith(V2)),
  rateLimit: { by: 'cost' as const, points: 300_000, per: 3600 },
}))
const headers = { Accept: 'text/event-stream' }
/** What comes while streams are watched; other tests begin without it. */
const grown = ['Grown', 'By itself']
afterEach(() => small.db.tag.deleteMany({ where: { OR: grown.map((name) => ({ name: { startsWith: name } })) } }))
const leftOf = (answer: { readonly headers: Headers }) =>
  Number(/r=(\d+)/.exec(answer.headers.get('RateLimit') ?? '')?.[1])

test('a stream that costs too much is 400 before it begins, though one page of it does not', async () => {
  const ask = priced.as(users.admin)
  for (const path of ['/api/v2/videos?page[size]=1', '/api/v2/posts?page[size]=1']) {
    expect((await ask('GET', path)).status, path).toBe(200)
    const { status, headers: answered, body } = await ask('GET', path, { headers })
    expect([status, answered.get('Content-Type'), body.errors[0].code]).toEqual([
      400,
      'application/vnd.api+json',
      'too-expensive',
    ])
  }
})

test('a stream that has grown beyond the limits is cut off, and refused when its client comes back', async () => {
  const Authorization = `Bearer ${await signToken(users.admin, authSecret)}`
  const open = (more: Record<string, string> = {}) =>
    openEvents(`${small.at}/api/v2/tags?include=posts`, { Authorization, ...more })
  const stream = await open()
  const { id } = await stream.next()
  await small.db.tag.createMany({ data: Array.from({ length: 600 }, (_, i) => ({ name: `Grown ${i}` })) })
  await small.db.post.update({ where: { id: 1 }, data: { title: 'Looks at all' } })
  await stream.ended
  for (const more of [{}, { 'Last-Event-ID': id }]) expect((await open(more)).status).toBe(400)
})

test('a stream that has grown beyond the limits by nothing but rows that came is cut off, too', async () => {
  const Authorization = `Bearer ${await signToken(users.admin, authSecret)}`
  const open = () => openEvents(`${small.at}/api/v2/tags?filter[name][contains]=By itself`, { Authorization })
  const stream = await open()
  await stream.next()
  await small.db.tag.createMany({ data: Array.from({ length: 501 }, (_, i) => ({ name: `By itself ${i}` })) })
  await stream.ended
  expect((await open()).status).toBe(400)
})

test('a stream takes its price of the points of a caller, and is 429 where they do not suffice', async () => {
  const Authorization = `Bearer ${await signToken(users.admin, authSecret)}`
  const leftAfter = async (path: string) => {
    const stream = await openEvents(`${counted.at}/api/v2${path}`, { Authorization })
    await stream.close()
    expect(stream.status).toBe(200)
    return Number(/r=(\d+)/.exec(stream.headers.get('RateLimit') ?? '')?.[1])
  }
  const [first, second, third] = [await leftAfter('/tags/1'), await leftAfter('/tags'), await leftAfter('/posts')]
  expect(first - second).toBeGreaterThan(1)
  expect(second - third).toBeGreaterThan(1)
  let status = 200
  for (let opened = 0; opened < 1000 && status === 200; opened++) {
    const stream = await openEvents(`${counted.at}/api/v2/posts?include=comments`, { Authorization })
    await stream.close()
    status = stream.status
  }
  expect(status).toBe(429)
})

describe('everything that is done takes its price of the points of a caller:', () => {
  const path = '/api/v2/posts?include=comments'
  /** What a piece of work costs, whatever it costs to ask. */
  const costOf = async (as: number, work: () => Promise<unknown>) => {
    const left = async () => leftOf(await paid.as(as)('GET', '/api/v2/tags/1'))
    const asking = (await left()) - (await left())
    const before = await left()
    await work()
    return before - (await left()) - asking
  }
  const open = async (as: number, more: Record<string, string> = {}) => {
    const Authorization = `Bearer ${await signToken(as, authSecret)}`
    return openEvents(paid.at + path, { Authorization, ...more })
  }

  test('HEAD for a stream, and to come back to it', async () => {
    let last = ''
    const opening = await costOf(users.member3, async () => {
      const stream = await open(users.member3)
      last = (await stream.next()).id
      await stream.close()
    })
    expect(opening).toBeGreaterThan(1000)
    const head = await costOf(users.member3, () => paid.as(users.member3)('HEAD', path, { headers }))
    expect(head).toBe(opening)
    const again = await costOf(users.member3, async () => {
      const stream = await open(users.member3, { 'Last-Event-ID': last })
      expect(stream.status).toBe(200)
      await stream.close()
    })
    expect(again).toBeGreaterThan(1000)
  })

  test('writes by their identifiers, and operations by their number', async () => {
    const as = users.admin
    const ask = paid.as(as)
    const link = (count: number) => () =>
      ask('PATCH', '/api/v2/posts/1/relationships/tags', {
        body: {
          data: Array.from({ length: count }, (_, i) => ({ type: 'tags', id: String(1 + (i % 3)) })).slice(0, count),
        },
      })
    const [few, many] = [await costOf(as, link(1)), await costOf(as, link(501))]
    expect(few).toBeGreaterThanOrEqual(20)
    expect(many - few).toBeGreaterThanOrEqual(1000)
    const atomic = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const add = (count: number) => async () => {
      const { status } = await ask('POST', '/api/v2/operations', {
        headers: { Accept: atomic, 'Content-Type': atomic },
        body: {
          'atomic:operations': Array.from({ length: count }, (_, i) => ({
            op: 'add',
            data: { type: 'tags', attributes: { name: `Priced ${count} ${i}` } },
          })),
        },
      })
      expect(status).toBe(200)
    }
    const [one, ten] = [await costOf(as, add(1)), await costOf(as, add(10))]
    expect(ten - one).toBeGreaterThanOrEqual(180)
  })

  test('what is read for a stream while it is open, which ends where nothing is left', async () => {
    const Authorization = `Bearer ${await signToken(users.member3, authSecret)}`
    const stream = await openEvents(`${running.at}/api/v2/tags?include=posts`, { Authorization })
    expect(stream.status).toBe(200)
    await stream.next()
    let isOver = false
    stream.ended.then(() => {
      isOver = true
    })
    while (!isOver) {
      await running.db.post.update({ where: { id: 1 }, data: { title: `Read again ${Math.random()}` } })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await openEvents(`${running.at}/api/v2/tags`, { Authorization })).status).toBe(429)
  })
})
