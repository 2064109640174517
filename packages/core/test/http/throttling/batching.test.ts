import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { makeBatching } from '../../../src/http/throttling.ts'

afterEach(() => void vi.restoreAllMocks())

const socket = () => new EventEmitter() as unknown as Socket

test('a single client waits for nobody', () => {
  const batching = makeBatching()
  const only = socket()
  expect([batching.join(only, false), batching.join(only, false)]).toEqual([null, null])
})

test('clients of one batch go on together, once all of them were heard', async () => {
  const batching = makeBatching()
  const [first, second, third] = [socket(), socket(), socket()]
  batching.join(first, false)
  const order: string[] = []
  const goOn = async (name: string, client: Socket) => {
    order.push(`${name} asks`)
    await batching.join(client, false)
    order.push(`${name} goes on`)
  }
  await Promise.all([goOn('second', second), goOn('third', third)])
  expect(order).toEqual(['second asks', 'third asks', 'second goes on', 'third goes on'])
})

test('the next batch is another one', async () => {
  const batching = makeBatching()
  const [first, second] = [socket(), socket()]
  batching.join(first, false)
  const before = batching.join(second, false)
  expect(batching.join(first, false)).toBe(before)
  await before
  expect(batching.join(first, false)).not.toBe(before)
})

test('of those who show many, four go on together, and the next four after them', async () => {
  const batching = makeBatching()
  batching.join(socket(), true)
  const order: string[] = []
  const goOn = async (n: number) => {
    await batching.join(socket(), true)
    order.push(`${n} reads`)
    await null
    order.push(`${n} answers`)
  }
  const numbers = Array.from({ length: 10 }, (_, n) => n)
  await Promise.all(numbers.map(goOn))
  const groups = [numbers.slice(0, 4), numbers.slice(4, 8), numbers.slice(8)]
  expect(order).toEqual(
    groups.flatMap((group) => ['reads', 'answers'].flatMap((does) => group.map((n) => `${n} ${does}`))),
  )
})

test.each([
  ['in one turn of the event loop, if that is quick', 0, [[0, 1, 2, 3, 4, 5, 6, 7]]],
  [
    'one batch a turn, if it takes long',
    8,
    [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ],
  ],
])('%s', async (_, milliseconds, turns) => {
  // A clock of its own: a machine that is busy takes long for what is quick.
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const batching = makeBatching()
  batching.join(socket(), false)
  const found: number[][] = [[]]
  let isOpen = true
  const nextTurn = () => {
    if (found.at(-1)?.length) found.push([])
    if (isOpen) setImmediate(nextTurn)
  }
  setImmediate(nextTurn)
  const work = async (n: number) => {
    await batching.join(socket(), true)
    now += milliseconds
    found.at(-1)?.push(n)
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => work(n)))
  isOpen = false
  expect(found.filter((turn) => turn.length > 0)).toEqual(turns)
})

test('others all go on together', async () => {
  const batching = makeBatching()
  batching.join(socket(), false)
  const ends = Array.from({ length: 40 }, () => batching.join(socket(), false))
  expect(new Set(ends).size).toBe(1)
})

test('who has gone is not waited for', () => {
  const batching = makeBatching()
  const [first, second] = [socket(), socket()]
  batching.join(first, false)
  expect(batching.join(second, false)).not.toBe(null)
  second.emit('close')
  expect(batching.join(first, false)).toBe(null)
})
