import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killWhileWriting } from '../../scripts/reliability/kill.ts'
import { cloneProject } from '../support/clone.ts'
import { inPostgres, postgresUrl, withDatabase } from '../support/postgres.ts'

// A short run of `npm run reliability -- kill`, on PostgreSQL: in a copy of the example, whose Prisma client is for that.

const database = `prismapi_kill_${randomUUID().slice(0, 8)}`
let folder: string

beforeAll(() => {
  folder = cloneProject()
})
afterAll(async () => {
  await inPostgres(postgresUrl, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`),
  )
  rmSync(folder, { recursive: true })
})

test('every acknowledged write outlives a server that is killed', async () => {
  const place = { folder, databaseUrl: withDatabase(postgresUrl, database) }
  const { lost, strange, kills, acknowledged } = await killWhileWriting(place, { seconds: 6, kills: 3 })
  expect({ lost, strange, kills }).toEqual({ lost: [], strange: [], kills: 3 })
  expect(acknowledged).toBeGreaterThan(50)
})
