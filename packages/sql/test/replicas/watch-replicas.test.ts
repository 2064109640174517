import type { Replica } from '@prismapi/core/database/store'
import { beforeEach, expect, test } from 'vitest'
import { type ReplicaState, watchReplicas } from '../../src/replicas/watch-replicas.ts'

// A primary and two replicas that are numbers, and a clock that is set by hand.

let clock: number
let primary: number | null
let replayed: (number | null | 'away')[]
let states: (readonly [number, ReplicaState])[]
let cutOff: number[]
let asked: number[]
let watched: ReturnType<typeof watchReplicas>

const replicas = [0, 1].map(() => ({}) as Replica)
const numberOf = (replica: Replica | null) => (replica === null ? null : replicas.indexOf(replica))
const choices = (position = 0) =>
  [...new Set([1, 2, 3, 4].map(() => numberOf(watched.choose(BigInt(position)))))].sort()
async function lookAfter(milliseconds: number) {
  clock += milliseconds
  await watched.look()
}

beforeEach(async () => {
  clock = 0
  primary = 100
  replayed = [100, 100]
  states = []
  cutOff = []
  asked = []
  watched = watchReplicas({
    async primary() {
      if (primary === null) throw new Error('away')
      return { written: BigInt(primary + 8), flushed: BigInt(primary) }
    },
    replicas: replicas.map((replica, n) => ({
      replica,
      async replayed() {
        asked.push(n)
        const position = replayed[n]
        if (position === 'away') throw new Error('away')
        return position == null ? null : BigInt(position)
      },
      onAway: () => void cutOff.push(n),
      onState: (state) => void states.push([n, state]),
    })),
    lagMilliseconds: 2000,
    now: () => clock,
  })
})

test('nobody is read before it was looked at; then they are, by turns', async () => {
  expect(choices()).toEqual([null])
  await lookAfter(0)
  expect([1, 2, 3, 4].map(() => numberOf(watched.choose(0n)))).toEqual([1, 0, 1, 0])
  expect(states).toEqual([
    [0, 'used'],
    [1, 'used'],
  ])
})

test('what was written before is read from those that have it, or from the primary', async () => {
  replayed = [100, 90]
  primary = 90
  await lookAfter(0)
  expect(choices(90)).toEqual([0, 1])
  expect(choices(91)).toEqual([0])
  expect(choices(101)).toEqual([null])
  expect(await watched.position()).toBe(98n)
})

test('who is behind by more than the limit is late, until it has caught up', async () => {
  await lookAfter(0)
  primary = 200
  replayed = [200, 150]
  await lookAfter(1000)
  expect(choices()).toEqual([0, 1])
  primary = replayed[0] = 300
  await lookAfter(1500)
  expect(choices()).toEqual([0])
  replayed[1] = 200
  await lookAfter(500)
  expect(choices()).toEqual([0, 1])
  expect(states.slice(2)).toEqual([
    [1, 'late'],
    [1, 'used'],
  ])
})

test('who was never where the primary is now is not read', async () => {
  replayed = [100, 50]
  await lookAfter(0)
  expect(choices()).toEqual([0])
})

test('while the primary is away nobody falls behind', async () => {
  await lookAfter(0)
  primary = null
  await lookAfter(60_000)
  expect(choices()).toEqual([0, 1])
  await expect(watched.position()).rejects.toThrow('away')
})

test('who is away is cut off and asked less and less often, at least every ten seconds; back again, it is read', async () => {
  await lookAfter(0)
  replayed[1] = 'away'
  asked = []
  for (let n = 0; n < 120; n++) await lookAfter(500)
  const times = asked.filter((n) => n === 1).length
  expect(choices()).toEqual([0])
  expect(times).toBeGreaterThanOrEqual(8)
  expect(times).toBeLessThanOrEqual(12)
  expect(cutOff).toEqual(Array.from({ length: times }, () => 1))
  replayed[1] = 100
  await lookAfter(10_000)
  expect(choices()).toEqual([0, 1])
})

test('who could not be read from is left alone until it answers', async () => {
  await lookAfter(0)
  watched.suspect(replicas[0] as Replica)
  expect(choices()).toEqual([1])
  await lookAfter(500)
  expect(choices()).toEqual([0, 1])
})

test('a server that has become a primary is no replica any more', async () => {
  await lookAfter(0)
  replayed[0] = null
  await lookAfter(500)
  expect(choices()).toEqual([1])
  expect(states.at(-1)).toEqual([0, 'no replica'])
})
