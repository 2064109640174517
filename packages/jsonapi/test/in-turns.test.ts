import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from '../src/model/awaitable.ts'

function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test('of pieces of long work that go on at once, one has its part in each turn of the event loop', async () => {
  let done = 0
  const piece = async () => {
    for await (const milliseconds of inTurns([25, 25, 25])) {
      work(milliseconds)
      done++
    }
  }
  const all = Promise.all(Array.from({ length: 4 }, piece))
  // The first parts are done where the work begins.
  await turn()
  const perTurn: number[] = []
  while (done < 12) {
    const before = done
    await turn()
    perTurn.push(done - before)
  }
  await all
  expect(Math.max(...perTurn)).toBe(1)
})
