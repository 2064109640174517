import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import V1 from '../../../src/app/v1/server.ts'
import { users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { exampleWith, type Running, startServers } from '../../support/servers.ts'

// Means are no upper limits: a price is made of the value that most rows have, and of texts as they are stored.

const posts = 12_000
/** A megabyte, which no database can compress to nothing. */
const text = () => 'a'.repeat(1_000_000)

let running: Running | undefined
let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
  const { post, video } = database.writer
  const other = (i: number) => (i % 2 === 0 ? users.editor : users.admin)
  const published = { title: 'T', content: 'C', publishedAt: new Date(0) }
  await post.createMany({
    data: Array.from({ length: posts }, (_, i) => ({ ...published, slug: randomUUID(), authorId: other(i) })),
  })
  await video.createMany({
    data: Array.from({ length: 8 }, () => ({
      ...{ title: text(), url: 'https://example.com/', ownerId: users.editor },
    })),
  })
  if (resources.provider === 'postgresql') await database.writer.$executeRawUnsafe('ANALYZE')
  running = await startServers(database, { ...(await exampleWith(V1)), production: false })
  await running.as(null)('GET', '/api/v1/tags/1')
})
afterAll(async () => {
  await running?.close()
  await database.close()
})

async function priceOf(path: string): Promise<number> {
  const { status, headers } = await (running as Running).as(null)('GET', `/api/v1${path}`, {
    headers: { Prefer: 'cost' },
  })
  expect([200, 400]).toContain(status)
  return Number(headers.get('Prismapi-Cost'))
}

test('an author with half of the posts costs what these cost', async () => {
  const path = `/posts?page[size]=1&filter[author]=${users.editor}`
  expect(await priceOf(path)).toBeGreaterThanOrEqual(posts / 2)
  expect(await priceOf(`${path}&filter[content][contains]=zzzz`)).toBeGreaterThanOrEqual((posts / 2) * 50)
})

test('so does what is included of one', async () => {
  expect(await priceOf('/posts?page[size]=1&include=author.posts')).toBeGreaterThanOrEqual(posts / 2)
})

// PostgreSQL says nothing of texts that it keeps beside the table, and searches them in a process of its own.
test.runIf(resources.provider === 'sqlite')(
  'a search in long texts costs what is stored, where nothing says how long they may be',
  async () => {
    const urls = Array.from({ length: 36 }, (_, i) => `filter[or][${i}][url][contains]=zz${i}`)
    const titles = Array.from({ length: 36 }, (_, i) => `filter[or][${i}][title][contains]=zz${i}`)
    expect(await priceOf(`/videos?${urls.join('&')}`)).toBeLessThan(100_000)
    // Two videos of an owner, a point for each thousand characters; the mean of all videos is above 100,000.
    expect(await priceOf(`/videos?filter[owner]=${users.editor}&${titles.join('&')}`)).toBeGreaterThan(7000)
  },
)
