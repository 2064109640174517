import { expect, test } from 'vitest'
import { comparePairs } from '../../../test/support/proof/random-pairs.ts'
import { smallWorld } from '../../../test/support/proof/small-world.ts'
import { sqliteConnection } from '../src/confirm/connections.ts'

test('the solver finds a difference of two policies exactly where a small database has one, and the reader confirms it', async () => {
  const place = { resources: smallWorld('sqlite'), connection: await sqliteConnection() }
  const tallies = await comparePairs([place], { from: 1, pairs: 150 })
  expect(tallies.map(({ faults }) => faults)).toEqual([[]])
  expect(tallies[0]?.differing).toBeGreaterThan(50)
  expect(tallies[0]?.same).toBeGreaterThan(20)
})
