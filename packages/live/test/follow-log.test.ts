import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followLog } from '../src/follow-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('old changes are removed once a minute, and step by step at once while there are more', async () => {
  const left = [true, true, false, false]
  const pruned: number[] = []
  const log = {
    end: async () => '0',
    after: async () => ({ changes: [], position: '0' }),
    async prune(seconds: number) {
      pruned.push(seconds)
      return left.shift() ?? false
    },
  }
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const none = () => {}
  const follower = followLog({ log, logger, keep: 60, isWatched: () => false, onChanges: none, onTick: none })
  const ask = async () => {
    follower.prune()
    // Whoever asks while a step is on its way begins no other.
    follower.prune()
    await vi.advanceTimersByTimeAsync(0)
    return pruned.length
  }
  expect(await ask()).toBe(0)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([1, 2, 3, 3])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await ask()).toBe(4)
  expect(new Set(pruned)).toEqual(new Set([60]))
})
