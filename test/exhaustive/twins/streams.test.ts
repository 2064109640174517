import { randomFrom } from '@prismapi/testing/internal/kit/random'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import { streamUrls } from '../../support/live/stream-urls.ts'
import { useStreamWorlds, type Watching } from '../../support/live/stream-worlds.ts'
import type { Write } from '../../support/live/walk-writes.ts'
import { isNight } from '../../support/night.ts'
import { theProvider } from '../../support/proof/world/in-process-client.ts'
import { hiddenWrites, seenWrites, withdrawals } from '../../support/twins/stream-writes.ts'
import { Twins, twinCallers } from '../../support/twins/twins.ts'

// Streams of the twins, while what is seen changes in both, what nobody sees in the first one alone, and readers lose their rights: both
// tell the same, block by block, at the same times.

// FC_SEED draws other changes, and repeats a run.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: 1, from: 0 })
const rounds = isNight ? 15 : 8
const share = isNight ? 0.05 : 0.03

describe.each(['scopes', 'rules'] as const)('rows that are hidden by %s', (means) => {
  let twins: Twins
  beforeAll(async () => {
    twins = await Twins.open(means, theProvider)
    await twins.begin(null, true, twinCallers)
  })
  afterAll(() => twins.close())
  const worlds = useStreamWorlds({
    get world() {
      return twins.world
    },
    get running() {
      return twins.running
    },
    get databases() {
      return twins.clients.map(({ writer }) => writer)
    },
  })

  test('are not told by streams, whatever becomes of them and of the rights of readers', async () => {
    console.info(`Streams of twins: FC_SEED=${seed}`)
    const random = randomFrom(seed)
    const below = (number: number) => Math.floor(random() * number)
    const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
    let written = 0
    const write = (seen: Write | null, hidden: Write | null) => worlds.write(++written, seen, hidden)
    const begun: Watching[] = []
    const { server, shown } = worlds.world
    for (const userId of twinCallers)
      for (const path of streamUrls(server.schemas, shown)) {
        if (random() > share) continue
        const [full, pruned] = await worlds.begin({ path, userId })
        expect([path, full]).toEqual([path, pruned])
        if (full === 200) begun.push({ path, userId })
      }
    expect(begun.length).toBeGreaterThan(10)
    await worlds.pass(500)
    for (let round = 0; round < rounds; round++) {
      for (let i = below(3); i > 0; i--) {
        await write(null, pick(hiddenWrites))
        await worlds.pass(10 * below(8))
      }
      await write(random() < 0.2 ? withdrawals.role : pick(seenWrites), random() < 0.5 ? pick(hiddenWrites) : null)
      await worlds.pass(10 * below(60))
      // Some come back.
      if (random() > 0.3) continue
      const each = pick(begun)
      await worlds.end(each)
      await write(pick(seenWrites), pick(hiddenWrites))
      await worlds.pass(250)
      const [full, pruned] = await worlds.begin(each)
      expect([each, full]).toEqual([each, pruned])
    }
    await write(withdrawals.user, pick(hiddenWrites))
    for (const seen of seenWrites.slice(0, 4)) await write(seen, pick(hiddenWrites))
    await worlds.pass(1000)
    worlds.expectSame(begun)
    const told = (event: string) =>
      begun.filter((each) => worlds.blocksOf('full', each).some((block) => block.event === event)).length
    expect([told('upsert') > 5, told('remove') > 0, told('end') > 0], `FC_SEED=${seed}`).toEqual([true, true, true])
  }, 3_600_000)
})
