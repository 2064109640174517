import { filterUrls, readingUrls } from '@prismapi/testing/internal/kit/leaks/questions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import V1 from '../../../src/app/v1/server.ts'
import V2 from '../../../src/app/v2/server.ts'
import { provider } from '../../support/database.ts'
import { ByPrisma } from '../../support/field-policies.ts'
import { hidingCallers } from '../../support/field-rules/hidden-cells.ts'
import { randomWrites } from '../../support/field-rules/random-writes.ts'
import { Twins } from '../../support/field-rules/twins.ts'
import { isNight } from '../../support/night.ts'
import { randomUrls } from '../../support/readers/random-urls.ts'

// Two databases that differ only in values which a caller may not see answer that caller the same bytes, whatever is asked and written.

/** `LEAK_WALK=all` asks ten thousand random requests of each caller, which takes minutes; a number asks so many. */
const requests =
  process.env.LEAK_WALK === 'all' ? 10_000 : parseNumber('LEAK_WALK', process.env.LEAK_WALK, { otherwise: 60 })
// FC_SEED draws other requests, and repeats a run.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: requests, from: 0 })
/** After so many writes there are new twins: values that are written are the same in both. */
const writesAtOnce = 500

// That an address is taken is told to whoever sends it: the walk sends new ones.
const taken = new Set(['users.email'])

beforeAll(() => console.info(`Twins of hidden values: FC_SEED=${seed}`))

const servers = [
  ['the second server', V2],
  ['the first server', V1],
  ['the second server by Prisma Client', ByPrisma],
] as const

// On PostgreSQL, the others are for the night.
describe.each(isNight || provider === 'sqlite' ? servers : servers.slice(0, 1))('%s', (_, server) => {
  describe.each(Object.entries(hidingCallers))('tells %s nothing', (_name, caller) => {
    let twins: Twins
    beforeAll(async () => {
      twins = await Twins.open(server, caller)
    })
    afterEach(() => {
      twins.differing.length = 0
      twins.statuses.clear()
    })
    afterAll(() => twins.close())

    async function expectSame(urls: readonly string[]): Promise<void> {
      for (const url of urls) await twins.read(url)
      expect(twins.differing).toEqual([])
      expect(twins.answered('read', 2)).toBeGreaterThan(20)
    }

    test('by what can be asked of every type', async () => {
      await expectSame(readingUrls(twins.world).filter((_, i) => requests > 999 || i % 20 === 0))
    }, 600_000)

    test('by pages for people, and the description of the server', async () => {
      for (const url of twins.pages().filter((_, i) => isNight || i % 8 === 1)) await twins.page(url)
      await twins.read('/openapi.json')
      expect(twins.differing).toEqual([])
    }, 600_000)

    test.runIf(new server().live)(
      'by streams',
      async () => {
        await twins.stream('/posts')
        expect(twins.differing).toEqual([])
      },
      600_000,
    )

    test('by filters', async () => {
      await expectSame(filterUrls(twins.world, requests > 999 ? [99, 3, 1] : [1, 0.1, 0.01]))
    }, 600_000)

    test('by any mixture of parameters', async () => {
      await expectSame(randomUrls(twins.world, requests, seed))
    }, 1_800_000)
  })

  describe.each(Object.entries(hidingCallers))('tells %s nothing', (_name, caller) => {
    // Both twins write at the same instant.
    const start = Date.UTC(2100, 0, 1)
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }))
    afterEach(() => void vi.useRealTimers())

    test('by guesses of what it does not see', async () => {
      const twins = await Twins.open(server, caller)
      try {
        for (const [i, guess] of (await twins.guesses()).entries()) {
          if (!isNight && i % 2 > 0) continue
          vi.setSystemTime(start + i * 10)
          await twins.guess(guess)
        }
        expect(twins.differing).toEqual([])
        if (caller.userId !== null) expect([...twins.refused]).toEqual(expect.arrayContaining(['synopsis', 'tags']))
      } finally {
        await twins.close()
      }
    }, 600_000)

    test('by any mixture of reads and writes', async () => {
      let written = 0
      for (let asked = 0; asked < requests; asked += writesAtOnce) {
        const twins = await Twins.open(server, caller)
        try {
          const write = randomWrites(twins.world, seed + asked, taken)
          const count = Math.min(writesAtOnce, requests - asked)
          for (const [i, url] of randomUrls(twins.world, count, seed + asked).entries()) {
            vi.setSystemTime(start + (asked + i) * 10)
            if (i % 2 === 0) await twins.write(write())
            else await twins.read(url)
            if (twins.differing.length > 0) break
          }
          expect(twins.differing).toEqual([])
          written += twins.answered('written', 2)
        } finally {
          await twins.close()
        }
      }
      if (caller.userId !== null) expect(written).toBeGreaterThan(requests / 50)
    }, 3_600_000)
  })
})
