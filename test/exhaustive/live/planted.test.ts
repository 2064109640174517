import { Watch } from '@prismapi/live/watch'
import { afterEach, expect, test, vi } from 'vitest'
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
  readonly streams: ReadonlySet<{ event: number; send(event: string, text: string): unknown }>
}

/** Until when a server is busy with what it heard of, whoever may see that. */
const busyUntil = new WeakMap<Inside, number>()
/** Each may put off what it hears of, by so many milliseconds. */
const leaks: Readonly<Record<string, (watch: Inside) => number>> = {
  'no leak': () => 0,
  'an event that says nothing': ({ streams }) => {
    for (const stream of streams) stream.send('reset', '{}')
    return 0
  },
  'a number that an id passes over': ({ streams }) => {
    for (const stream of streams) stream.event++
    return 0
  },
  'an event that comes later': (watch) => {
    const wait = Math.max(0, (busyUntil.get(watch) ?? 0) - Date.now())
    busyUntil.set(watch, Date.now() + wait + 70)
    return wait
  },
}

let nth = 0
test.each(Object.entries(leaks))('%s is told apart', async (name, leak) => {
  vi.spyOn(Watch.prototype, 'notice').mockImplementation(function (this: Watch, ...args) {
    const wait = leak(this as unknown as Inside)
    if (wait === 0) notice.apply(this, args)
    else setTimeout(() => notice.apply(this, args), wait)
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
