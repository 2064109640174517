import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { users } from '../../support/api.ts'
import { useWorlds } from '../../support/hidden-worlds.ts'
import { HidingV2 } from '../../support/hiding-servers.ts'
import { streamUrls } from '../../support/live/stream-urls.ts'
import { type ToldBlock, ToldStreams } from '../../support/live/told-streams.ts'
import { hiddenWrites, publishSoon, seenWrites, type Write } from '../../support/live/walk-writes.ts'

// Streams of a world with hidden rows, and of its twin without them. Only there hidden rows change, all the time, in every way: what
// both tell is the same, block by block, at the same times, by the same numbers.

class LiveServer extends HidingV2 {
  override readonly live = { streamsPerCaller: 10_000, streams: 10_000 }
}

const worlds = useWorlds({ server: LiveServer })
let streams: ToldStreams

beforeAll(() => {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const
  vi.useFakeTimers({ toFake: [...toFake], now: Date.UTC(2026, 5, 1) })
  streams = new ToldStreams()
})
afterAll(() => {
  streams.close()
  vi.useRealTimers()
})

/** Until nothing more is told at this time: the clock stands still meanwhile, and SQLite answers in this process. */
async function settled() {
  const count = () => [...streams.told.values()].reduce((sum, { length }) => sum + length, 0)
  for (let before = -1, quiet = 0; quiet < 5; quiet = count() === before ? quiet + 1 : 0) {
    before = count()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function pass(milliseconds: number) {
  for (let left = milliseconds; left > 0; left -= 10) {
    await vi.advanceTimersByTimeAsync(Math.min(10, left))
    if (left % 100 === 0) await settled()
  }
  await settled()
}

let writes = 0
const hidden = (): Write => {
  const write = hiddenWrites[writes % hiddenWrites.length] as Write
  const nth = ++writes
  return (db) => write(db, nth)
}

/** Writes in both worlds at once; what is hidden in the full one alone, in the same transaction. */
async function write(seen: Write | null, unseen: Write | null) {
  const [full, twin] = worlds.databases
  const work = (db: PrismaClient, each: Write | null) => each?.(db, 0) ?? []
  if (full) await full.$transaction([...work(full, unseen), ...work(full, seen)])
  if (twin && seen) await twin.$transaction([...work(twin, seen)])
}

const callers = [null, users.member3]
/** The streams that there are in both worlds. */
const begun: { readonly path: string; readonly userId: number | null }[] = []
const nameOf = (world: string, { path, userId }: (typeof begun)[number]) => `${world} ${userId} ${path}`
const blocksOf = (world: string, each: (typeof begun)[number]) => streams.told.get(nameOf(world, each)) ?? []

/** Begins it in both worlds, or goes on with it. */
async function begin(each: (typeof begun)[number]) {
  const at = { ...each, path: `/api/v2${each.path}` }
  const [full, twin] = worlds.running
  if (!full || !twin) throw new Error('The worlds do not run.')
  return [await streams.begin(nameOf('full', each), full, at), await streams.begin(nameOf('twin', each), twin, at)]
}

const expectSame = () => {
  for (const each of begun) expect([each, blocksOf('full', each)]).toEqual([each, blocksOf('twin', each)])
}

test('the same URLs have streams', async () => {
  const { server, shown } = worlds.world
  for (const userId of callers)
    for (const path of streamUrls(server.schemas, shown)) {
      const [full, twin] = await begin({ path, userId })
      expect([path, full]).toEqual([path, twin])
      if (full === 200) begun.push({ path, userId })
    }
  expect(begun.length).toBeGreaterThan(150)
  await pass(500)
  expectSame()
})

test('streams tell the same at the same times, whatever becomes of hidden rows', async () => {
  for (const seen of seenWrites) {
    await write(null, hidden())
    await pass(30)
    await write(seen, hidden())
    await pass(40)
    await write(null, hidden())
    await pass(430)
  }
  expectSame()
  const told = (world: string, event: string) =>
    begun.filter((each) => blocksOf(world, each).some((block) => block.event === event)).length
  expect(told('full', 'upsert')).toBeGreaterThan(begun.length / 2)
  expect(told('full', 'remove')).toBeGreaterThan(10)
})

test('comment lines come every 15 seconds, whatever becomes of hidden rows', async () => {
  for (let i = 0; i < hiddenWrites.length; i++) {
    await write(null, hidden())
    await pass(3070)
  }
  expectSame()
  const open = begun.filter((each) => !blocksOf('full', each).some(({ event }) => event === 'end'))
  expect(open.length).toBeGreaterThan(begun.length / 2)
  for (const each of open) {
    const lines = blocksOf('full', each).filter(({ event }) => event === ':')
    expect(lines.length).toBeGreaterThanOrEqual(4)
    lines.forEach(({ at }, i) => void expect(at - (lines[0]?.at ?? 0)).toBe(i * 15_000))
  }
})

test('clients that come back are told the same', async () => {
  for (const each of begun) for (const world of ['full', 'twin']) streams.end(nameOf(world, each))
  await settled()
  for (const seen of seenWrites) {
    await write(null, hidden())
    await write(seen, hidden())
    await pass(250)
  }
  for (const each of begun) expect([each, ...(await begin(each))]).toEqual([each, 200, 200])
  await pass(1000)
  await write(null, hidden())
  await pass(1000)
  expectSame()
})

test('what time alone publishes is told at the same time, where no hidden row is looked for', async () => {
  await write(publishSoon(20_000), null)
  for (let i = 0; i < 10; i++) {
    for (let j = 0; j < 3; j++) await write(null, hidden())
    await pass(6030)
  }
  for (const each of begun) {
    const [full, twin] = [blocksOf('full', each), blocksOf('twin', each)]
    const isAlone = /^\/posts(\/63)?$/.test(each.path)
    const timeless = (blocks: readonly ToldBlock[]) =>
      blocks.filter(({ event }) => event !== ':').map(({ at: _, ...block }) => block)
    if (isAlone) expect([each, full]).toEqual([each, twin])
    else expect([each, timeless(full)]).toEqual([each, timeless(twin)])
  }
})
