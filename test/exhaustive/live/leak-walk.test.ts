import { hiddenRows, schemasOf } from '@prismapi/testing/internal/kit/leaks/world'
import { expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import { users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { streamUrls } from '../../support/live/stream-urls.ts'
import { useStreamWorlds, type Watching } from '../../support/live/stream-worlds.ts'
import type { ToldBlock } from '../../support/live/told-streams.ts'
import { hiddenWrites, publishNow, publishSoon, seenWrites, type Write } from '../../support/live/walk-writes.ts'
import { isNight } from '../../support/night.ts'
import { randomNumbers } from '../../support/readers/random-rows.ts'

// Streams of a world with hidden rows, and of its twin without them. Hidden rows change only in the first, all the time, in every way:
// both worlds tell the same, block by block, at the same times, by the same numbers.

const worlds = useStreamWorlds()

/** `LEAK_WALK=all` watches every URL, and writes more; the night watches some of them. PostgreSQL is asked over a connection. */
const isWhole = process.env.LEAK_WALK === 'all'
const isShort = provider !== 'sqlite' && !isNight
const isSmall = provider !== 'sqlite' && !isWhole
const [rounds, share] = isWhole ? [100, 1] : [isNight ? 20 : 12, isSmall ? 0.04 : 0.15]
const patience = 3_600_000
// FC_SEED draws other changes, and repeats a run.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: 1, from: 0 })
const random = randomNumbers(seed)
const below = (number: number) => Math.floor(random() * number)
const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T

/** Where time alone publishes a post, and no hidden row is looked for. */
const alone = /^\/posts(\/63)?$/
const callers = [null, users.member3, users.admin]
/** The streams that there are in both worlds. */
const begun: Watching[] = []
let writes = 0
const write = (seen: Write | null, hidden: Write | null) => worlds.write(++writes, seen, hidden)
/** A hidden row of each type, by its id. */
const hiddenUrls = (): readonly string[] =>
  schemasOf(worlds.world).flatMap((schema) =>
    hiddenRows(worlds.world, schema)
      .slice(0, 1)
      .map(({ id }) => `/${schema.type}/${encodeURIComponent(id)}`),
  )
const isTold = ({ event }: Pick<ToldBlock, 'event'>) => event !== ':'
const hidden = (): Write => pick(hiddenWrites)

test(
  'the same URLs have streams',
  async () => {
    console.info(`Streams beside hidden changes: FC_SEED=${seed}`)
    const { server, shown } = worlds.world
    for (const userId of callers) {
      for (const path of streamUrls(server.schemas, shown)) {
        if (random() > share && !alone.test(path)) continue
        const [full, twin] = await worlds.begin({ path, userId })
        expect([path, full]).toEqual([path, twin])
        if (full === 200) begun.push({ path, userId })
      }
      for (const path of hiddenUrls())
        expect([path, ...(await worlds.begin({ path, userId }))]).toEqual([path, 404, 404])
    }
    expect(begun.length).toBeGreaterThan(share * 200)
    await worlds.pass(500)
    worlds.expectSame(begun)
  },
  patience,
)

test(
  'streams tell the same at the same times, whatever becomes of hidden rows',
  async () => {
    for (let round = 0; round < rounds; round++) {
      for (let i = below(3); i > 0; i--) {
        await write(null, hidden())
        await worlds.pass(10 * below(8))
      }
      await write(pick(seenWrites), random() < 0.5 ? hidden() : null)
      await worlds.pass(10 * below(8))
      if (random() < 0.5) await write(null, hidden())
      await worlds.pass(100 + 10 * below(40))
    }
    for (const isPublished of [true, false]) {
      await write(publishNow(isPublished), hidden())
      await worlds.pass(500)
    }
    worlds.expectSame(begun)
    const told = (event: string) =>
      begun.filter((each) => worlds.blocksOf('full', each).some((block) => block.event === event)).length
    expect(told('upsert'), `FC_SEED=${seed}`).toBeGreaterThan(begun.length / 8)
    expect(told('remove'), `FC_SEED=${seed}`).toBeGreaterThan(0)
  },
  patience,
)

test.skipIf(isShort)(
  'comment lines come every 15 seconds, whatever becomes of hidden rows',
  async () => {
    for (let i = 0; i < 20; i++) {
      await write(null, hidden())
      await worlds.pass(3070)
    }
    worlds.expectSame(begun)
    const open = begun.filter((each) => !worlds.blocksOf('full', each).some(({ event }) => event === 'end'))
    expect(open.length).toBeGreaterThan(begun.length / 2)
    for (const each of open) {
      const lines = worlds.blocksOf('full', each).filter(({ event }) => event === ':')
      expect(lines.length).toBeGreaterThanOrEqual(4)
      lines.forEach(({ at }, i) => void expect(at - (lines[0]?.at ?? 0)).toBe(i * 15_000))
    }
  },
  patience,
)

test(
  'clients that come back are told the same',
  async () => {
    for (const each of begun) await worlds.end(each)
    for (const seen of seenWrites) {
      await write(null, hidden())
      await write(seen, hidden())
      await worlds.pass(250)
    }
    for (const each of begun) {
      const [full, twin] = await worlds.begin(each)
      expect([each, full]).toEqual([each, twin])
    }
    await worlds.pass(1000)
    await write(null, hidden())
    await worlds.pass(1000)
    worlds.expectSame(begun)
  },
  patience,
)

test(
  'what time alone publishes is told in the same order, and where no hidden row is looked for at the same time',
  async () => {
    const published = await publish((hidden) => write(null, hidden))
    for (const each of begun) {
      const [full, twin] = [worlds.blocksOf('full', each), worlds.blocksOf('twin', each)]
      if (alone.test(each.path)) expect([each, full]).toEqual([each, twin])
      const lines = (blocks: readonly ToldBlock[]) => blocks.filter(({ event }) => event === ':')
      expect([each, lines(full)]).toEqual([each, lines(twin)])
      const timeless = (blocks: readonly ToldBlock[]) =>
        blocks.flatMap(({ at, ...block }) => (isTold(block) ? block : []))
      expect([each, timeless(full)]).toEqual([each, timeless(twin)])
      // A hidden change has the server look sooner, never later.
      const [moved, stayed] = [full, twin].map((blocks) => blocks.filter((block) => isTold(block)).map(({ at }) => at))
      moved?.forEach((at, i) => {
        const other = stayed?.[i] as number
        if (at !== other) expect([each, at > published && at < other]).toEqual([each, true])
      })
    }
  },
  patience,
)

test(
  'it is told at the same times where as much is written, hidden or not',
  async () => {
    for (const each of begun) {
      await worlds.end(each)
      worlds.forget(each)
      await worlds.begin(each)
    }
    await publish((hidden) => worlds.writeHidden(++writes, hidden))
    worlds.expectSame(begun)
  },
  patience,
)

/** Time alone publishes a post, while hidden rows change; when it did. */
async function publish(change: (hidden: Write) => Promise<void>): Promise<number> {
  await write(publishSoon(5000), null)
  const at = Date.now() + 5000
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j < 3; j++) await change(hidden())
    await worlds.pass(6030)
  }
  return at
}
