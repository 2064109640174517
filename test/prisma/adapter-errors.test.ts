import { adapterCause } from '@prismapi/core/database/prisma/refusals'
import { toRefusal } from '@prismapi/sql/prisma/adapter-errors'
import { postgresAdapter } from '@prismapi/sql/prisma/postgres-adapter'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Example, openExample, user } from '../support/prisma-example.ts'

let example: Example
beforeAll(async () => {
  example = await openExample()
  await example.writer.user.create({ data: { id: 1, ...user('ada') } })
  await example.writer.$executeRawUnsafe(`INSERT INTO "Tag" ("id", "name") VALUES (1, 'here')`)
  await example.writer.$executeRawUnsafe(
    `CREATE TRIGGER "no_tags" BEFORE INSERT ON "Tag" WHEN new."name" = 'no' BEGIN SELECT RAISE(ABORT, 'no tags today'); END`,
  )
})
afterAll(() => example.close())

const otherwise =
  'An adapter tells of an error otherwise than packages/sql/src/prisma/adapter-errors.ts tells of the same one.'

const thrownBy = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => expect.unreachable('It was not refused.'),
    (error: unknown) => error,
  )

/** What both say of an error, and the framework goes by. */
function told(error: unknown): object {
  const { kind, originalCode, originalMessage, constraint } = adapterCause(error) ?? {}
  return { kind, originalCode, originalMessage, fields: constraint?.fields, index: constraint?.index }
}

test.each([
  ['a value that another row has', `INSERT INTO "Tag" ("name") VALUES ('here')`],
  ['a key that another row has', `INSERT INTO "Tag" ("id", "name") VALUES (1, 'new')`],
  ['a null', 'INSERT INTO "Tag" ("name") VALUES (NULL)'],
  [
    'a row that is not there',
    `INSERT INTO "Post" ("title", "slug", "content", "authorId", "updatedAt") VALUES ('a', 'a', 'a', 9, 0)`,
  ],
  ['a trigger', `INSERT INTO "Tag" ("name") VALUES ('no')`],
])('SQLite: %s', async (_, sql) => {
  const byAdapter = await thrownBy(() => example.writer.$executeRawUnsafe(sql))
  const transaction = await example.sql.writer?.begin?.()
  const byUs = await thrownBy(async () => transaction?.prepare(sql).run([]))
  await transaction?.rollback()
  expect(told(byUs), otherwise).toEqual(told(byAdapter))
  expect(told(byUs)).toMatchObject({ originalCode: expect.stringMatching(/^SQLITE_CONSTRAINT_/) })
})

test.each([
  ['a value that another row has', '23505', 'Key (slug)=(a) already exists.'],
  ['a row that is not there', '23503', 'Key (authorId)=(9) is not present in table "User".'],
  ['a null', '23502', 'Failing row contains (1, null).'],
])('PostgreSQL: %s', async (_, code, detail) => {
  const refused = Object.assign(new Error('refused'), { code, detail, severity: 'ERROR' })
  const pool = new pg.Pool()
  pool.query = (() => Promise.reject(refused)) as typeof pool.query
  const adapter = await postgresAdapter(pool, { schema: 'public', cancel() {} }).connect()
  const byAdapter = await thrownBy(() => adapter.executeRaw({ sql: 'DELETE FROM "Tag"', args: [], argTypes: [] }))
  const { kind, originalCode } = adapterCause(toRefusal(refused)) ?? {}
  expect({ kind, originalCode }, otherwise).toEqual({ kind: adapterCause(byAdapter)?.kind, originalCode: code })
})
