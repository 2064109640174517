import { expect, test } from 'vitest'
import { oneAtATime } from '../../../src/store/one-at-a-time.ts'

test('one at a time, in the order in which they came, past one that fails', async () => {
  const inTurn = oneAtATime()
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await new Promise((resolve) => setTimeout(resolve, 1))
    seen.push(`${name} ends`)
    if (name === 'b') throw new Error('b fails')
    return name
  }
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => inTurn(work(name))))
  expect(results).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: new Error('b fails') },
    { status: 'fulfilled', value: 'c' },
  ])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})
