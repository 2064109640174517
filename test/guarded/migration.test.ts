import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { openTestDatabase } from '../support/database.ts'
import { readMigrations } from '../support/databases/migrations.ts'
import { guardedLogin, guardedUser } from '../support/databases/postgres.ts'
import { exampleGuard } from '../support/guarded.ts'
import { inPostgres, postgresUrl, withDatabase } from '../support/postgres.ts'

// The migration is applied by who owns the tables and may make roles, and no superuser. Nobody reaches what is the framework's own.

const owner = `prismapi_test_owner_${process.pid}`
const name = `prismapi_test_owned_${process.pid}`
const as = (user: string): string => {
  const url = new URL(withDatabase(postgresUrl, name))
  url.username = user
  return url.href
}

/** A table that no server serves, as hooks look into some. */
const Secret = { ...resources.models.Tag, name: 'Secret', table: 'Secret', isHidden: true, relations: {} }
const withSecret = { ...resources, models: { ...resources.models, Secret } }

let migration: string

beforeAll(async () => {
  const database = await openTestDatabase()
  migration = await exampleGuard(database, { resources: withSecret as never })
  await database.close()
  await inPostgres(postgresUrl, async (client) => {
    await client.query(`CREATE ROLE ${owner} LOGIN CREATEROLE`)
    await client.query(`CREATE DATABASE ${name} OWNER ${owner}`)
  })
  await inPostgres(as(owner), async (client) => {
    for (const sql of readMigrations('prisma/postgresql/migrations')) await client.query(sql)
    await client.query('CREATE TABLE "_prisma_migrations" (id text)')
    await client.query('CREATE TABLE "Secret" (id integer, name text)')
    await client.query(`INSERT INTO "Secret" VALUES (1, 'hidden')`)
    await client.query(`INSERT INTO "Tag" VALUES (1, 'a tag')`)
  })
})

afterAll(() =>
  inPostgres(postgresUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await client.query(`DROP ROLE IF EXISTS ${owner}`)
  }),
)

test('the user that the documentation names applies it, and once more when rules have changed', async () => {
  await inPostgres(as(owner), async (client) => {
    await client.query(migration)
    await client.query(migration)
    const functions = `SELECT FROM pg_proc WHERE proname LIKE 'prismapi\\_taken\\_%'`
    expect((await client.query(functions)).rowCount).toBe(1)
  })
  await inPostgres(postgresUrl, (client) => client.query(guardedLogin))
})

const told = `SELECT set_config('role', 'prismapi_guarded', true), set_config('prismapi.caller', '{"server":"v1","user":{"id":1,"role":"ADMIN"}}', true)`

/** What a statement comes to: how many rows, or with which SQLSTATE it is refused. */
async function outcome(sql: string, before: string | null): Promise<unknown> {
  return inPostgres(as(guardedUser), async (client: pg.Client) => {
    await client.query('BEGIN')
    if (before) await client.query(before)
    try {
      return (await client.query(sql)).rowCount
    } catch (error) {
      return (error as pg.DatabaseError).code
    }
  })
}

test.each(['Change', 'IdempotencyKey', '_prisma_migrations'])(
  '%s is the framework’s: no caller reads or writes it',
  async (table) => {
    for (const before of [null, told])
      for (const sql of [
        `SELECT * FROM "${table}"`,
        `DELETE FROM "${table}"`,
        `UPDATE "${table}" SET "id" = NULL`,
        `INSERT INTO "${table}" ("id") VALUES (NULL)`,
      ])
        expect({ sql, before, outcome: await outcome(sql, before) }).toEqual({ sql, before, outcome: '42501' })
  },
)

test('what no server serves is seen by callers, and by nobody else', async () => {
  const seen = async (before: string | null) => [
    await outcome('SELECT * FROM "Secret"', before),
    await outcome(`UPDATE "Secret" SET "name" = 'x'`, before),
    await outcome('SELECT * FROM "Tag"', before),
  ]
  expect(await seen(null)).toEqual([0, 0, 0])
  expect(await seen(told)).toEqual([1, 1, 1])
})
