import { checkTables } from 'prismapi'
import type { Clients } from 'prismapi/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { openTestDatabase } from '../support/database.ts'
import { expectTold } from '../support/documentation/told.ts'
import type { Database } from '../support/servers.ts'

const noColumn =
  'The database has no column synopsis of the model Post of the Prisma schema. Run "npx prisma migrate deploy".'
const noTable = 'The database has no table for the model Comment of the Prisma schema. Run "npx prisma migrate deploy".'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

describe.each<[string, () => Clients]>([
  ['by Prisma', () => database.writer],
  ['by prepared statements', () => database],
])('%s', (_, clients) => {
  const check = () => checkTables(clients(), resources)
  const run = (sql: string) => database.writer.$executeRawUnsafe(sql)

  test('a database that lacks a migration is told of in one line, by model', async () => {
    await expect(check()).resolves.toBeUndefined()
    await run('ALTER TABLE "Post" RENAME COLUMN "synopsis" TO "summary"')
    await expect(check()).rejects.toThrow(new Error(noColumn))
    await run('ALTER TABLE "Post" RENAME COLUMN "summary" TO "synopsis"')
    await run('ALTER TABLE "Comment" RENAME TO "Remark"')
    await expect(check()).rejects.toThrow(new Error(noTable))
    await run('ALTER TABLE "Remark" RENAME TO "Comment"')
    await expect(check()).resolves.toBeUndefined()
  })
})

test('docs/troubleshooting.md quotes both', () => [noColumn, noTable].forEach(expectTold))
