import { afterEach, expect, test, vi } from 'vitest'
import { Watch } from '../../../src/live/watch.ts'
import { users } from '../../support/api.ts'
import { useStreamWorlds } from '../../support/live/stream-worlds.ts'
import { hiddenWrites, seenWrites } from '../../support/live/walk-writes.ts'

// What the walk compares tells the worlds apart where a server lets hidden changes out in one way only. The leaks are planted where a
// server hears of changes, before it has looked at who may see them.

const worlds = useStreamWorlds()
const { notice } = Watch.prototype
afterEach(() => void vi.mocked(Watch.prototype.notice).mockRestore())

/** A watch, with what is its own. */
interface Inside {
  readonly streams: ReadonlySet<{ event: number; reset(): void }>
  enqueue(work: () => Promise<unknown>): Promise<unknown>
}

const leaks: Readonly<Record<string, (watch: Inside) => void>> = {
  'an event that says nothing': ({ streams }) => {
    for (const stream of streams) stream.reset()
  },
  'a number that an id passes over': ({ streams }) => {
    for (const stream of streams) stream.event++
  },
  'an event that comes later': (watch) => {
    void watch.enqueue(() => new Promise((resolve) => setTimeout(resolve, 70)))
  },
}

let nth = 0
test.each([['no leak', () => {}], ...Object.entries(leaks)])('%s is told apart', async (name, leak) => {
  vi.spyOn(Watch.prototype, 'notice').mockImplementation(function (this: Watch, ...args) {
    leak(this as unknown as Inside)
    notice.apply(this, args)
  })
  const all = [null, users.member3].map((userId) => ({ path: `/tags?filter[not][0][id]=${1000 + nth}`, userId }))
  for (const each of all) expect(await worlds.begin(each)).toEqual([200, 200])
  const [seen] = seenWrites
  for (const hidden of hiddenWrites.slice(0, 3)) {
    await worlds.write(++nth, null, hidden)
    await worlds.pass(40)
    await worlds.write(++nth, seen ?? null, null)
    await worlds.pass(200)
  }
  for (const each of all) await worlds.end(each)
  expect(worlds.blocksOf('full', all[0] as never).length).toBeGreaterThan(3)
  if (name === 'no leak') worlds.expectSame(all)
  else for (const each of all) expect(() => worlds.expectSame([each])).toThrow()
})
