import { readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'

// An index that is gone, as after a migration that somebody has written by hand: searches fail, and nothing else does.

vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => void vi.useRealTimers())

const api = useApi()

const folder = provider === 'postgresql' ? 'prisma/postgresql/migrations' : 'prisma/migrations'
const migration = () => readFileSync(`${folder}/20261128150000_search/migration.sql`, 'utf8')
const statements = () => migration().split(/;\n+(?=DROP|CREATE|INSERT)/)
const execute = async (sql: string) => void (await api.db.$executeRawUnsafe(sql))
const drop = async () => {
  if (provider === 'postgresql') return execute('DROP INDEX "Post_search_2"')
  for (const event of ['insert', 'update', 'delete']) await execute(`DROP TRIGGER "prismapi_search_Post_${event}"`)
  await execute('DROP TABLE "Post_search"')
}

const status = async (path: string) => (await api.as(users.admin).get(path)).status
const searched = '/api/v2/posts?filter[search]=post&sort=-search'
const cure = 'The search of Post has no index. Run "npx prismapi search", and apply the migration that it prints.'
const told = () => api.logs.filter(({ message }) => message === cure).length
/** Indexes are looked for once a minute, beside a request. */
const aMinuteLater = async () => {
  vi.setSystemTime(Date.now() + 61_000)
  await status(searched)
}

test.skipIf(provider === 'mysql')(
  'a search whose index is gone says so to the log, and nothing to clients',
  async () => {
    expect([await status(searched), told()]).toEqual([200, 0])
    await drop()
    await aMinuteLater()
    await expect.poll(told).toBe(1)

    const { status: failed, body } = await api.guest.get(searched)
    // In production there is no `meta`, which has the stack.
    const [{ meta: _, id: __, ...error }] = body.errors
    expect([failed, error]).toEqual([500, { status: '500', title: 'Internal Server Error' }])
    expect(await status('/api/v2/users?filter[posts.search]=post')).toBe(500)
    expect(await status('/api/v2/posts?filter[or][0][search]=a&filter[or][1][not][0][search]=b')).toBe(500)
    const errors = api.logs.flatMap(({ fields }) => (fields as { err?: { message?: string } }).err?.message ?? [])
    expect(errors).toContain(cure)

    expect(await status('/api/v2/posts')).toBe(200)
    expect(await status('/api/v2/videos?filter[search]=video')).toBe(200)
  },
)

test.skipIf(provider === 'mysql')('and is answered again once it is there', async () => {
  for (const statement of statements()) await execute(statement)
  await aMinuteLater()
  await expect.poll(() => status(searched)).toBe(200)
  expect(told()).toBe(1)
})
