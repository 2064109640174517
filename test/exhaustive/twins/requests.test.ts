import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import { theProvider } from '../../support/proof/world/in-process-client.ts'
import { askMixture } from '../../support/twins/mixture.ts'
import { Twins, twinCallers } from '../../support/twins/twins.ts'

// Two databases of an application with everything that rows can be hidden by, behind the same servers: whatever is asked, written or sent
// by a form, no byte of the answers differs.

/** Of each caller, by each of the means. `LEAK_WALK` asks more. */
const requests = parseNumber('LEAK_WALK', process.env.LEAK_WALK, { otherwise: 40 })
// FC_SEED draws other requests, and repeats a run.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: 1, from: 0 })
/** After so many, all rows are again what they were. */
const atOnce = 100

const named = (caller: (typeof twinCallers)[number]) => (caller === null ? 'a guest' : `user ${caller}`)

beforeAll(() => console.info(`Twins of hidden rows: FC_SEED=${seed}`))
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe.each(['scopes', 'rules'] as const)('rows that are hidden by %s', (means) => {
  let twins: Twins
  beforeAll(async () => {
    twins = await Twins.open(means, theProvider)
  })
  afterAll(() => twins.close())

  test.each(twinCallers.map((caller) => [named(caller), caller] as const))(
    'are not told to %s by any mixture of reads, writes, pages and forms',
    async (_, caller) => {
      for (let asked = 0; asked < requests; asked += atOnce) {
        await twins.begin(caller, (seed + asked / atOnce) % 2 === 0)
        await askMixture(twins, seed + asked + Number(caller) * 7919, Math.min(atOnce, requests - asked))
        expect(twins.differing, `FC_SEED=${seed}`).toEqual([])
      }
    },
    3_600_000,
  )

  test('most of which the server does', () => {
    const asked = requests * twinCallers.length
    expect(twins.answered('read', 2)).toBeGreaterThan(asked / 10)
    expect(twins.answered('page', 2)).toBeGreaterThan(asked / 50)
    expect(twins.answered('written', 2)).toBeGreaterThan(asked / 100)
  })
})
