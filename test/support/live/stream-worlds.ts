import type { World } from '@prismapi/testing/internal/kit/leaks/world'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { provider } from '../database.ts'
import { useWorlds } from '../hidden-worlds.ts'
import { HidingV2 } from '../hiding-servers.ts'
import type { Running } from '../servers.ts'
import { type Busy, noteBusy } from './busy.ts'
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

/** An entry of the log, as a trigger writes it. */
function logged(db: PrismaClient, { model, key, action }: { model: string; key: string; action: string }) {
  const columns = '"at", "model", "key", "action"'
  const [more, values] =
    provider === 'sqlite'
      ? ['"id"', `coalesce(max("id"), 0) + 1, '2026-06-01T00:00:00.000+00:00', ?, ?, ? FROM "Change"`]
      : ['"transaction"', 'pg_current_xact_id()::text::bigint, now(), $1, $2, $3']
  return db.$executeRawUnsafe(`INSERT INTO "Change" (${more}, ${columns}) SELECT ${values}`, model, key, action)
}

/** A world with hidden rows and its twin without them: their servers, and clients of their databases. */
interface Worlds {
  readonly world: World
  readonly running: readonly Running[]
  readonly databases: readonly PrismaClient[]
}

/** Streams of a world with hidden rows, and of its twin without them, by a clock that goes on only when the test says so. */
export function useStreamWorlds(worlds: Worlds = useWorlds({ server: LiveServer })) {
  let streams: ToldStreams
  let busy: Busy
  beforeAll(() => {
    const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const
    vi.useFakeTimers({ toFake: [...toFake], now: Date.UTC(2026, 5, 1) })
    streams = new ToldStreams()
    busy = noteBusy()
  })
  afterAll(() => {
    streams.close()
    busy.restore()
    vi.useRealTimers()
  })

  /** No time passes for the servers before they have done all that there is to do. */
  async function settled() {
    for (let quiet = 0; quiet < 4; quiet = busy.isQuiet() ? quiet + 1 : 0)
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
    /** What is hidden, of which the twin's log tells as well, though it has no such rows. */
    async writeHidden(n: number, unseen: Write) {
      const [full, twin] = worlds.databases as [PrismaClient, PrismaClient]
      const last = await full.change.findFirst({ orderBy: { id: 'desc' } })
      await full.$transaction([...unseen(full, n)])
      const changes = await full.change.findMany({ where: { id: { gt: last?.id ?? 0n } }, orderBy: { id: 'asc' } })
      await twin.$transaction(changes.map((change) => logged(twin, change)))
    },
    /** Begins a stream in both worlds, or goes on with it: the statuses. */
    async begin({ path, userId }: Watching) {
      const statuses: unknown[] = []
      for (const [i, running] of worlds.running.entries())
        statuses.push(
          await streams.begin(`${names[i]} ${userId} ${path}`, running, {
            path: worlds.world.server.basePath + path,
            userId,
          }),
        )
      return statuses
    },
    async end({ path, userId }: Watching) {
      for (const name of names) streams.end(`${name} ${userId} ${path}`)
      await settled()
    },
    forget({ path, userId }: Watching) {
      for (const name of names) streams.forget(`${name} ${userId} ${path}`)
    },
    /** Both worlds told the same: events, comment lines, their bytes, their times, and the numbers that their ids hide. */
    expectSame(begun: readonly Watching[]) {
      for (const each of begun) expect([each, blocksOf('full', each)]).toEqual([each, blocksOf('twin', each)])
    },
  }
}
