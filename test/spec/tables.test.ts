import { checkTables } from 'prismapi'
import { beforeAll, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { expectTold } from '../support/documentation/told.ts'
import { theExample, useServers } from '../support/servers.ts'

const servers = useServers(theExample)
const check = () => checkTables(servers.db, resources)
const noColumn = 'The database has no column of the model Post of the Prisma schema. Run "npx prisma migrate deploy".'
const noTable = 'The database has no table for the model Comment of the Prisma schema. Run "npx prisma migrate deploy".'

beforeAll(() => expect(check()).resolves.toBeUndefined())

test('a database that lacks a migration is told of in one line, by model', async () => {
  await servers.db.$executeRawUnsafe('ALTER TABLE "Post" RENAME COLUMN "synopsis" TO "summary"')
  await expect(check()).rejects.toThrow(new Error(noColumn))
  await servers.db.$executeRawUnsafe('ALTER TABLE "Post" RENAME COLUMN "summary" TO "synopsis"')
  await servers.db.$executeRawUnsafe('ALTER TABLE "Comment" RENAME TO "Remark"')
  await expect(check()).rejects.toThrow(new Error(noTable))
  await servers.db.$executeRawUnsafe('ALTER TABLE "Remark" RENAME TO "Comment"')
  await expect(check()).resolves.toBeUndefined()
})

test('docs/troubleshooting.md quotes both', () => [noColumn, noTable].forEach(expectTold))
