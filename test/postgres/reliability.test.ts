import { expect, test } from 'vitest'
import { killWhileWriting } from '../../scripts/reliability/kill.ts'
import { useClone, useOwnDatabase } from '../support/postgres-clone.ts'

// A short run of `npm run reliability -- kill`, on PostgreSQL: in a copy of the example, whose Prisma client is for that.

const database = useOwnDatabase()
const clone = useClone()

test('every acknowledged write outlives a server that is killed', async () => {
  const place = { folder: clone.folder, databaseUrl: database.url }
  const { lost, strange, kills, acknowledged } = await killWhileWriting(place, { seconds: 6, kills: 3 })
  expect({ lost, strange, kills }).toEqual({ lost: [], strange: [], kills: 3 })
  expect(acknowledged).toBeGreaterThan(50)
})
