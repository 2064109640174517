import { expect, test } from 'vitest'
import { killWhileWriting } from '../../scripts/reliability/kill.ts'
import { streamsUnderFire } from '../../scripts/reliability/streams.ts'
import { useClone, useOwnDatabase } from '../support/postgres-clone.ts'

// Short runs of `npm run reliability`, on PostgreSQL: in a copy of the example, whose Prisma client is for that.

const database = useOwnDatabase()
const clone = useClone()

test('every acknowledged write outlives a server that is killed', async () => {
  const place = { folder: clone.folder, databaseUrl: database.url }
  const { lost, strange, kills, acknowledged } = await killWhileWriting(place, { seconds: 6, kills: 3 })
  expect({ lost, strange, kills }).toEqual({ lost: [], strange: [], kills: 3 })
  expect(acknowledged).toBeGreaterThan(50)
})

test('clients of streams that are cut off, by a server that is killed as well, end with what the database has', async () => {
  const place = { folder: clone.folder, databaseUrl: database.url }
  const disconnects = Number(process.env.STREAM_DISCONNECTS ?? 10)
  const report = await streamsUnderFire(place, { disconnects, kills: Math.ceil(disconnects / 10) })
  console.info(JSON.stringify(report))
  expect(report).toMatchObject({ differences: [], twice: [] })
  // Or nothing was told.
  expect(report.events).toBeGreaterThan(10)
})
