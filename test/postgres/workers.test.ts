import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneProject } from '../support/clone.ts'
import { killWorkers } from '../support/kill-workers.ts'
import { freePort, startServer } from '../support/npm-start.ts'
import { inPostgres, postgresUrl, withDatabase } from '../support/postgres.ts'
import { exampleBelow, workersOf } from '../support/worker-processes.ts'

const secret = 'a secret of the tests that is long enough'
const database = `prismapi_workers_${randomUUID().slice(0, 8)}`
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

test('workers of `npm start` that are killed lose no write that was acknowledged', async () => {
  const port = await freePort()
  const env = {
    DATABASE_URL: withDatabase(postgresUrl, database),
    AUTH_SECRET: secret,
    WORKERS: '2',
    LOG_LEVEL: 'debug',
  }
  const { said, pid, log, stop } = await startServer(folder, port, env)
  expect(said.trimEnd().split('\n').at(-1)).toBe(`prismapi listens on http://127.0.0.1:${port}/api/v1`)
  const supervisor = exampleBelow(pid)
  expect(workersOf(supervisor)).toHaveLength(2)
  await killWorkers({ pid: supervisor, origin: `http://127.0.0.1:${port}`, secret, log })
  await stop()
  expect(workersOf(supervisor)).toEqual([])
})
