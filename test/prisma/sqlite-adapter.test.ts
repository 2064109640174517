import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Example, openExample, user } from '../support/prisma-example.ts'

let example: Example
beforeAll(async () => {
  example = await openExample()
})
afterAll(() => example.close())

const statement = (sql: string) => example.sql.writer?.prepare(sql) ?? expect.unreachable('There is no writer.')

test('single statements run on the connection of Prisma Client, and see what it alone sees', async () => {
  await example.writer.$executeRawUnsafe('CREATE TEMP TABLE "seen" ("value" TEXT)')
  await example.writer.$executeRawUnsafe(`INSERT INTO "seen" VALUES ('here')`)
  expect(
    await statement('SELECT "value" FROM "seen"').run([]),
    'The adapter of SQLite has its connection elsewhere: packages/sql/src/prisma/sqlite-adapter.ts finds none.',
  ).toEqual([['here']])
})

test('while Prisma Client is in a transaction, single statements are left to it', async () => {
  const inside = await example.writer.$transaction(async (client) => {
    await client.tag.create({ data: { name: 'inside' } })
    return statement('SELECT 1').run([])
  })
  expect(inside, 'A statement would be undone with a transaction of somebody else.').toBeNull()
  expect(await statement('SELECT 1').run([])).toEqual([[1]])
})

test('the adapter runs kept statements, with values and without, many times', async () => {
  for (const name of ['a', 'b', 'c']) await example.writer.user.create({ data: user(name) })
  const names = () => example.writer.user.findMany({ orderBy: { id: 'asc' }, select: { name: true } })
  const kept = 'The adapter asks something of statements that packages/sql/src/prisma/sqlite-adapter.ts does not know.'
  expect(await names(), kept).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  expect(await names(), kept).toEqual(await names())
})

test('values are stored as prepared statements read them', async () => {
  const at = new Date('2026-11-27T05:07:26.739Z')
  await example.writer.video.create({ data: { title: 'v', url: 'https://example.com', createdAt: at, rating: 4.5 } })
  const [row] = await example.writer.$queryRawUnsafe<Record<string, unknown>[]>(
    `SELECT "createdAt" || '' AS "at", typeof("rating") AS "rating", typeof("featured") AS "featured", length("id") AS "id" FROM "Video"`,
  )
  expect(row, 'Prisma writes values otherwise than packages/sql/src/dialects/sqlite-dialect.ts does.').toEqual({
    at: '2026-11-27T05:07:26.739+00:00',
    rating: 'real',
    featured: 'integer',
    id: 36n,
  })
})
