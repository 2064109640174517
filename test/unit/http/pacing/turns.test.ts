import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { makeTurns } from '../../../../src/http/pacing/turns.ts'

const socket = () => new EventEmitter() as unknown as Socket

test('a single client waits for nobody', () => {
  const turns = makeTurns()
  const only = socket()
  expect([turns.end(only, false), turns.end(only, false)]).toEqual([null, null])
})

test('clients of one turn go on together, once all of them were heard', async () => {
  const turns = makeTurns()
  const [first, second, third] = [socket(), socket(), socket()]
  turns.end(first, false)
  const order: string[] = []
  const goOn = async (name: string, client: Socket) => {
    order.push(`${name} asks`)
    await turns.end(client, false)
    order.push(`${name} goes on`)
  }
  await Promise.all([goOn('second', second), goOn('third', third)])
  expect(order).toEqual(['second asks', 'third asks', 'second goes on', 'third goes on'])
})

test('the next turn is another one', async () => {
  const turns = makeTurns()
  const [first, second] = [socket(), socket()]
  turns.end(first, false)
  const before = turns.end(second, false)
  expect(turns.end(first, false)).toBe(before)
  await before
  expect(turns.end(first, false)).not.toBe(before)
})

test('of those who show many, sixteen go on together, and the next sixteen after them', async () => {
  const turns = makeTurns()
  turns.end(socket(), true)
  const order: string[] = []
  const goOn = async (n: number) => {
    await turns.end(socket(), true)
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
  const turns = makeTurns()
  turns.end(socket(), false)
  const ends = Array.from({ length: 40 }, () => turns.end(socket(), false))
  expect(new Set(ends).size).toBe(1)
})

test('who has gone is not waited for', () => {
  const turns = makeTurns()
  const [first, second] = [socket(), socket()]
  turns.end(first, false)
  expect(turns.end(second, false)).not.toBe(null)
  second.emit('close')
  expect(turns.end(first, false)).toBe(null)
})
