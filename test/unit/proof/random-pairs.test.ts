import { expect, test } from 'vitest'
import { sqliteConnection } from '../../../src/proof/confirm/connections.ts'
import { comparePairs } from '../../support/proof/random-pairs.ts'
import { smallWorld } from '../../support/proof/small-world.ts'

test('the solver finds a difference of two policies exactly where a small database has one, and the reader confirms it', async () => {
  const tally = await comparePairs(smallWorld('sqlite'), await sqliteConnection(), { from: 1, pairs: 150 })
  expect(tally.faults).toEqual([])
  expect(tally.differing).toBeGreaterThan(50)
  expect(tally.same).toBeGreaterThan(20)
})
