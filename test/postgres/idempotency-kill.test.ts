import pg from 'pg'
import { expect, test } from 'vitest'
import { readMigrations } from '../support/databases/migrations.ts'
import { expectOneAnswerEach, writeAndKill } from '../support/killed-writes.ts'
import { inPostgres, postgresUrl } from '../support/postgres.ts'
import { useOwnDatabase } from '../support/postgres-clone.ts'

const database = useOwnDatabase()

test('on PostgreSQL each key has one effect, however often its process is killed in between', async () => {
  await inPostgres(postgresUrl, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(database.name)}`))
  await inPostgres(database.url, async (client) => {
    for (const sql of readMigrations('prisma/postgresql/migrations')) await client.query(sql)
  })
  const all = await writeAndKill(database.url, 4)
  expectOneAnswerEach(all)
  const { rows } = await inPostgres(database.url, (client) =>
    client.query<{ title: string }>('SELECT title FROM "Video"'),
  )
  expect(rows.map(({ title }) => title).sort()).toEqual(all.map(({ title }) => title).sort())
})
