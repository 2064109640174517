import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { makeTurns } from '../../../../src/http/pacing/turns.ts'

const socket = () => new EventEmitter() as unknown as Socket

test('a single client waits for nobody', () => {
  const turns = makeTurns()
  const only = socket()
  expect([turns.end(only), turns.end(only)]).toEqual([null, null])
})

test('clients of one turn go on together, once all of them were heard', async () => {
  const turns = makeTurns()
  const [first, second, third] = [socket(), socket(), socket()]
  turns.end(first)
  const order: string[] = []
  const goOn = async (name: string, client: Socket) => {
    order.push(`${name} asks`)
    await turns.end(client)
    order.push(`${name} goes on`)
  }
  await Promise.all([goOn('second', second), goOn('third', third)])
  expect(order).toEqual(['second asks', 'third asks', 'second goes on', 'third goes on'])
})

test('the next turn is another one', async () => {
  const turns = makeTurns()
  const [first, second] = [socket(), socket()]
  turns.end(first)
  const before = turns.end(second)
  expect(turns.end(first)).toBe(before)
  await before
  expect(turns.end(first)).not.toBe(before)
})

test('who has gone is not waited for', () => {
  const turns = makeTurns()
  const [first, second] = [socket(), socket()]
  turns.end(first)
  expect(turns.end(second)).not.toBe(null)
  second.emit('close')
  expect(turns.end(first)).toBe(null)
})
