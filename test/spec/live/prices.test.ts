import { expect, test } from 'vitest'
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
const headers = { Accept: 'text/event-stream' }

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
