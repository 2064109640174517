import type { PolicyModel } from '@prismapi/proof/model/policy-model'
import { expect, test } from 'vitest'
import { theProvider } from '../../support/proof/world/in-process-client.ts'
import { walkRandom } from '../../support/proof/world/walk-random.ts'

// Random applications of four models, and random writes to them. `npm run nightly -- never` asks two thousand.

test('what is proven never to change no request changes', async () => {
  const tally = await walkRandom({ provider: theProvider, from: 1, applications: 24, requests: 16 })
  expect(tally.faults).toEqual([])
  // Neither do all requests fail, nor does every sentence not hold.
  expect(tally.changes).toBeGreaterThan(15)
  expect(tally.held).toBeGreaterThan(tally.asked / 4)
  expect(tally.held).toBeLessThan(tally.asked)
})

test('a proof that looks at the action alone is found out, by each of the other ways', async () => {
  const told = (policies: PolicyModel): PolicyModel => policies.map(({ ways: _, ...entry }) => entry)
  const { faults } = await walkRandom({ provider: theProvider, from: 1, applications: 4, requests: 40, told })
  const found = (way: RegExp) => faults.some((fault) => way.test(fault))
  expect({
    link: found(/ update of \w+ .*, by (?:PATCH|POST) /),
    cascade: found(/ delete of \w+ .*, by DELETE /),
    cleared: found(/ update of \w+ .*, by DELETE /),
  }).toEqual({ link: true, cascade: true, cleared: true })
})
