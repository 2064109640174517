import { Schema, Server } from 'prismapi'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { plain, useServers } from '../../support/servers.ts'

// The price of a request knows how many rows a table has, which no id makes more.

class Open extends Server {
  override readonly name = 'v1'
  override readonly models = ['Tag'] as const
  override authorizable = () => false
}

class TagSchema extends Schema<'Tag'> {
  override fields() {
    return [this.id().clientGenerated(/^-?\d+$/)]
  }
}

const api = useServers(() => ({
  production: false,
  policies: new Map(),
  servers: [plain(Open, { schemas: new Map([['Tag', TagSchema]]) })],
}))

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

const search = '/api/v1/tags?filter[name][contains]=a&page[size]=1'

const priceOf = async (path: string): Promise<string | number> => {
  // By then the sizes of tables are asked for anew.
  vi.advanceTimersByTime(60_001)
  await api.as(null)('GET', path)
  const { status, body, headers } = await api.as(null)('GET', path, { headers: { Prefer: 'cost' } })
  return status === 200 ? Number(headers.get('Prismapi-Cost')) : JSON.stringify(body)
}

const create = async (id: number): Promise<void> => {
  const body = { data: { type: 'tags', id: String(id), attributes: { name: `tag ${id}` } } }
  expect((await api.as(null)('POST', '/api/v1/tags', { body })).status).toBe(201)
}

// It would warn that the database does not say how large its tables are.
afterEach(() => expect(api.logs.filter(({ level }) => level === 'warn')).toEqual([]))
beforeEach(async () => void (await api.db.tag.deleteMany()))

test('the largest id that a client can choose changes no price', async () => {
  const before = await priceOf(search)
  expect(before).toBeGreaterThan(1000)
  const whole = await priceOf('/api/v1/tags')
  await create(2_147_483_647)
  await create(1)
  expect(await priceOf(search)).toBe(before)
  expect(await priceOf('/api/v1/tags')).toBe(whole)
})

test('nor do ids that lie far from each other', async () => {
  const before = await priceOf(search)
  for (let i = 0; i < 15; i++) await create(-2_000_000_000 + 249_999_999 * i)
  expect(await priceOf(search)).toBe(before)
})

test('rows that are there do', async () => {
  const before = Number(await priceOf(search))
  await api.db.$executeRaw`INSERT INTO "Tag" ("id", "name")
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, 'tag ' || i FROM n`
  await create(2_147_483_647)
  await api.db.$executeRawUnsafe('ANALYZE "Tag"')
  // The server looks at the sizes of tables beside its answers.
  await expect.poll(() => priceOf(search)).toBe(before + 9000 * 2)
})
