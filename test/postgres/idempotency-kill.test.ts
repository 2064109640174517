import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readMigrations } from '../support/databases/migrations.ts'
import { expectOneAnswerEach, writeAndKill } from '../support/killed-writes.ts'
import { inPostgres, postgresUrl, withDatabase } from '../support/postgres.ts'

test('on PostgreSQL each key has one effect, however often its process is killed in between', async () => {
  const name = `prismapi_kill_${randomUUID().slice(0, 8)}`
  const url = withDatabase(postgresUrl, name)
  await inPostgres(postgresUrl, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`))
  try {
    await inPostgres(url, async (client) => {
      for (const sql of readMigrations('prisma/postgresql/migrations')) await client.query(sql)
    })
    const all = await writeAndKill(url, 4)
    expectOneAnswerEach(all)
    const { rows } = await inPostgres(url, (client) => client.query<{ title: string }>('SELECT title FROM "Video"'))
    expect(rows.map(({ title }) => title).sort()).toEqual(all.map(({ title }) => title).sort())
  } finally {
    await inPostgres(postgresUrl, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
    )
  }
})
