import { Server, type Serving } from 'prismapi'
import { afterEach, expect, test } from 'vitest'
import { plain, useServers } from '../../support/servers.ts'

// Of requests that cost much, a few go on at the same time, and no more than two of one client. The others wait for their turn.

/** What the requests of each client read, as long as the test keeps them from going on. */
const held: { readonly client: string; readonly goOn: () => void }[] = []
const clients = new Map<unknown, string>()

class Dear extends Server {
  override readonly name = 'dear'
  override readonly models = ['Post', 'Tag'] as const
  override authorizable = () => false

  override serving(phase: Serving): void {
    phase.reading('Post', () => new Promise<void>((goOn) => held.push({ client: `${clients.get(phase.user)}`, goOn })))
  }
}

const api = useServers(() => ({
  policies: new Map(),
  servers: [plain(Dear)],
  rows: { Post: 100_000 },
  authenticate: (ctx) => {
    const user = { id: 3 } as never
    clients.set(user, ctx.ip)
    return user
  },
  before: () => (ctx, next) => {
    ctx.request.ip = ctx.get('X-Client')
    return next()
  },
}))

const dear = '/api/dear/posts?filter[synopsis]=none&page[size]=1'
const get = (client: string, path = dear) => api.as(null)('GET', path, { headers: { 'X-Client': client } })
const of = (client: string) => held.filter((each) => each.client === client).length
const times = (count: number, client: string) => Array.from({ length: count }, () => get(client))

/** Lets all that is held, and all that comes after it, go on. */
const release = setInterval(() => {
  if (isOpen) for (const { goOn } of held.splice(0)) goOn()
}, 5)
let isOpen = false
afterEach(() => {
  isOpen = false
})
release.unref()

test('two of one client go on, four of all, and what is cheap at once', async () => {
  const asked = [...times(6, '192.0.2.1'), ...times(1, '192.0.2.2')]
  await expect.poll(() => held.length).toBe(3)
  asked.push(...times(2, '192.0.2.3'))
  await expect.poll(() => held.length).toBe(4)
  expect((await get('192.0.2.1', '/api/dear/tags/1')).status).toBe(200)
  expect((await get('192.0.2.9', '/api/dear/tags?page[size]=3')).status).toBe(200)
  expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(of)).toEqual([2, 1, 1])
  // Who has waited longest and has room for it goes on.
  held.splice(0, 1)[0]?.goOn()
  await expect.poll(() => held.length).toBe(4)
  expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(of)).toEqual([2, 1, 1])
  isOpen = true
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200))
})

test('of one client so many wait, and more of them are unavailable', async () => {
  const asked = times(40, '192.0.2.1')
  const refused: unknown[] = []
  for (const each of asked)
    void each.then(({ status, headers }) => status === 503 && refused.push(headers.get('Retry-After')))
  await expect.poll(() => refused).toEqual(Array(6).fill('1'))
  const other = get('192.0.2.2')
  await expect.poll(() => of('192.0.2.2')).toBe(1)
  isOpen = true
  expect((await other).status).toBe(200)
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(34)
})

test('who has gone leaves its place to others', async () => {
  const going = times(2, '192.0.2.1')
  await expect.poll(() => held.length).toBe(2)
  const leaving = new AbortController()
  const left = fetch(api.at + dear, { headers: { 'X-Client': '192.0.2.1' }, signal: leaving.signal })
  const last = get('192.0.2.1')
  await new Promise((resolve) => setTimeout(resolve, 50))
  leaving.abort()
  await expect(left).rejects.toThrow()
  held.splice(0, 1)[0]?.goOn()
  await expect.poll(() => held.length).toBe(2)
  isOpen = true
  expect((await Promise.all([...going, last])).map(({ status }) => status)).toEqual([200, 200, 200])
})
