import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseNumber } from '../../scripts/number-option.ts'
import { fuzz } from '../../scripts/reliability/fuzz.ts'
import { killWhileWriting } from '../../scripts/reliability/kill.ts'
import { soak } from '../../scripts/reliability/soak.ts'
import { streamsUnderFire } from '../../scripts/reliability/streams.ts'

// Short runs of `npm run reliability`, on SQLite.

const folder = path.resolve(import.meta.dirname, '../..')
let scratch: string
beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'prismapi-reliability-'))
})
afterAll(() => rmSync(scratch, { recursive: true }))
const place = (name: string) => ({ folder, databaseUrl: `file:${path.join(scratch, name)}` })

test('every acknowledged write outlives a server that is killed', async () => {
  const { lost, strange, kills, acknowledged } = await killWhileWriting(place('kill.db'), { seconds: 6, kills: 3 })
  expect({ lost, strange, kills }).toEqual({ lost: [], strange: [], kills: 3 })
  expect(acknowledged).toBeGreaterThan(50)
})

test('whatever is asked of any endpoint is answered in good form', async () => {
  const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: Date.now() % 2 ** 31, from: 0 })
  console.info(`Requests to every endpoint: FC_SEED=${seed}`)
  const { faults, statuses, before, after } = await fuzz(place('fuzz.db'), { runs: 8, seed })
  expect(faults).toEqual([])
  // Or nothing but refusals was tested.
  expect(statuses[200]).toBeGreaterThan(100)
  expect(after.handles).toBeLessThan(before.handles + 30)
})

test('clients of streams that are cut off, by a server that is killed as well, end with what the database has', async () => {
  const report = await streamsUnderFire(place('streams.db'), { disconnects: 10, kills: 1 })
  expect(report).toMatchObject({ differences: [], twice: [] })
  // Or nothing was told.
  expect(report.events).toBeGreaterThan(10)
})

test('a steady load is answered, all of it', async () => {
  const { requests, failed, usage } = await soak(place('soak.db'), { seconds: 3, load: 0.3 })
  expect({ failed, samples: usage.length > 1 }).toEqual({ failed: 0, samples: true })
  expect(requests).toBeGreaterThan(0)
})
