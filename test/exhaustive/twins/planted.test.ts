import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { theProvider } from '../../support/proof/world/in-process-client.ts'
import { askMixture } from '../../support/twins/mixture.ts'
import { Twins } from '../../support/twins/twins.ts'

// What is asked of the twins is enough to tell them apart where the application forgets to hide the rows of one model.

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

test.each([
  ['scopes', 'Membership'],
  ['scopes', 'Tag'],
  ['rules', 'Place'],
  ['rules', 'Mark'],
] as const)('by %s that forget the rows of %s', async (means, forgets) => {
  const twins = await Twins.open(means, theProvider, forgets)
  try {
    await twins.begin(2, true)
    await askMixture(twins, 1, 200)
    expect(twins.differing.length).toBeGreaterThan(0)
    expect(twins.differing[0]).not.toContain('\nfails: ')
  } finally {
    await twins.close()
  }
})
