import { postgresClients } from 'prismapi/postgres'
import { sqliteClients } from 'prismapi/sqlite'
import { expect, test } from 'vitest'
import { expectTold } from '../../../../test/support/documentation/told.ts'

const never = () => {
  throw new Error('no client is made')
}
const cure =
  'Correct DATABASE_URL, or change the provider of the Prisma schema and the function that opens the clients.'

test('the URL of another kind of database is refused, by its scheme alone', async () => {
  const sqlite = `The URL of the database begins with postgresql:, and the application is made for SQLite (file:). ${cure}`
  await expect(sqliteClients(never, 'postgresql://user:secret@localhost/shop')).rejects.toThrow(new Error(sqlite))
  const postgres = `The URL of the database begins with file:, and the application is made for PostgreSQL (postgresql:). ${cure}`
  await expect(postgresClients(never, 'file:./prisma/dev.db')).rejects.toThrow(new Error(postgres))
  expectTold(sqlite)
  expectTold(postgres)
})
