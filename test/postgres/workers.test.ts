import { expect, test } from 'vitest'
import { killWorkers } from '../support/kill-workers.ts'
import { freePort, startServer } from '../support/npm-start.ts'
import { useClone, useOwnDatabase } from '../support/postgres-clone.ts'
import { exampleBelow, workersOf } from '../support/worker-processes.ts'

const secret = 'a secret of the tests that is long enough'
const database = useOwnDatabase()
const clone = useClone()

test('workers of `npm start` that are killed lose no write that was acknowledged', async () => {
  const port = await freePort()
  const env = { DATABASE_URL: database.url, AUTH_SECRET: secret, WORKERS: '2', LOG_LEVEL: 'debug' }
  const { said, pid, log, stop } = await startServer(clone.folder, port, env)
  expect(said.trimEnd().split('\n').at(-1)).toBe(`prismapi listens on http://127.0.0.1:${port}/api/v1`)
  const supervisor = exampleBelow(pid)
  expect(workersOf(supervisor)).toHaveLength(2)
  await killWorkers({ pid: supervisor, origin: `http://127.0.0.1:${port}`, secret, log })
  await stop()
  expect(workersOf(supervisor)).toEqual([])
})
