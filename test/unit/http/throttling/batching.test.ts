import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { makeBatching } from '../../../../src/http/throttling/batching.ts'

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

test('of those who show many, sixteen go on together, and the next sixteen after them', async () => {
  const batching = makeBatching()
  batching.join(socket(), true)
  const order: string[] = []
  const goOn = async (n: number) => {
    await batching.join(socket(), true)
    order.push(`${n} reads`)
    await null
    order.push(`${n} answers`)
  }
  const numbers = Array.from({ length: 40 }, (_, n) => n)
  await Promise.all(numbers.map(goOn))
  const groups = [numbers.slice(0, 16), numbers.slice(16, 32), numbers.slice(32)]
  expect(order).toEqual(
    groups.flatMap((group) => ['reads', 'answers'].flatMap((does) => group.map((n) => `${n} ${does}`))),
  )
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
