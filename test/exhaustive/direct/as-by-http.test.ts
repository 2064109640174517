import { randomFrom } from '@prismapi/testing/internal/kit/random'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import { users } from '../../support/api.ts'
import { drawRequest } from '../../support/direct/random-requests.ts'
import { TwoFronts } from '../../support/direct/two-fronts.ts'

// Whatever is asked by `api.as` is answered, refused, told to hooks and written into the trail as the same request by HTTP.

/** Of each caller. `LEAK_WALK` asks more. */
const requests = parseNumber('LEAK_WALK', process.env.LEAK_WALK, { otherwise: 60 })
// FC_SEED draws other requests, and repeats a run.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: 1, from: 0 })

let fronts: TwoFronts
beforeAll(async () => {
  console.info(`Calls and requests: FC_SEED=${seed}`)
  fronts = await TwoFronts.open()
})
afterAll(() => fronts.close())
// The rows of both have the same instants.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe('a call', () => {
  const callers = { guest: null, member: users.member3, editor: users.editor, admin: users.admin }
  test.each(Object.entries(callers))(
    'of the %s is what the same request by HTTP is',
    async (name, caller) => {
      const random = randomFrom(seed * 7919 + Number(caller))
      for (let i = 0; i < requests; i++) {
        const request = drawRequest(random, i + Number(caller) * 100_000)
        expect(await fronts.differenceOf(request, caller), `FC_SEED=${seed}, ${name}, request ${i}`).toBeNull()
      }
    },
    3_600_000,
  )

  test('is often done, and often refused', () => {
    const counted = (from: number, to: number) =>
      [...fronts.statuses].reduce((sum, [status, count]) => (status >= from && status < to ? sum + count : sum), 0)
    expect(counted(200, 300)).toBeGreaterThan(requests / 2)
    for (const status of [400, 403, 404, 422]) expect(counted(status, status + 1), String(status)).toBeGreaterThan(0)
  })
})
