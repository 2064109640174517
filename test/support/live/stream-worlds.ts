import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { useWorlds } from '../hidden-worlds.ts'
import { HidingV2 } from '../hiding-servers.ts'
import { noteAsked } from './asked-postgres.ts'
import { type ToldBlock, ToldStreams } from './told-streams.ts'
import type { Write } from './walk-writes.ts'

class LiveServer extends HidingV2 {
  override readonly live = { streamsPerCaller: 10_000, streams: 10_000 }
}

/** What a client watches: below the server's base path, and as which user. */
export interface Watching {
  readonly path: string
  readonly userId: number | null
}

const names = ['full', 'twin'] as const

/** Streams of a world with hidden rows, and of its twin without them, by a clock that goes on only when the test says so. */
export function useStreamWorlds() {
  const worlds = useWorlds({ server: LiveServer })
  let streams: ToldStreams
  let asked: ReturnType<typeof noteAsked>
  beforeAll(() => {
    const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const
    vi.useFakeTimers({ toFake: [...toFake], now: Date.UTC(2026, 5, 1) })
    streams = new ToldStreams()
    asked = noteAsked()
  })
  afterAll(() => {
    streams.close()
    asked.restore()
    vi.useRealTimers()
  })

  // What SQLite was asked is done when the process has gone round a few times, as it answers in this process; PostgreSQL is waited for.
  async function settled() {
    for (let quiet = 0; quiet < 3; quiet = asked.isAnswered() ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve))
  }
  const blocksOf = (world: (typeof names)[number], { path, userId }: Watching): readonly ToldBlock[] =>
    streams.told.get(`${world} ${userId} ${path}`) ?? []

  return {
    get world() {
      return worlds.world
    },
    blocksOf,
    /** What is done at this moment has been done, and so is all that so many milliseconds bring about. */
    async pass(milliseconds: number) {
      await settled()
      for (let left = milliseconds; left > 0; left -= 10) {
        await vi.advanceTimersByTimeAsync(Math.min(10, left))
        await settled()
      }
    },
    /** In both worlds at once, and in one transaction what is hidden in the full one alone. */
    async write(n: number, seen: Write | null, unseen: Write | null) {
      const [full, twin] = worlds.databases as [PrismaClient, PrismaClient]
      const work = (db: PrismaClient, each: Write | null) => each?.(db, n) ?? []
      await full.$transaction([...work(full, unseen), ...work(full, seen)])
      if (seen) await twin.$transaction([...work(twin, seen)])
    },
    /** Begins a stream in both worlds, or goes on with it: the statuses. */
    async begin({ path, userId }: Watching) {
      const statuses: unknown[] = []
      for (const [i, running] of worlds.running.entries())
        statuses.push(await streams.begin(`${names[i]} ${userId} ${path}`, running, { path: `/api/v2${path}`, userId }))
      return statuses
    },
    async end({ path, userId }: Watching) {
      for (const name of names) streams.end(`${name} ${userId} ${path}`)
      await settled()
    },
    /** Both worlds told the same: events, comment lines, their bytes, their times, and the numbers that their ids hide. */
    expectSame(begun: readonly Watching[]) {
      for (const each of begun) expect([each, blocksOf('full', each)]).toEqual([each, blocksOf('twin', each)])
    },
  }
}
