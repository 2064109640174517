import { expect, test } from 'vitest'
import { backOff } from '../../src/process/supervise-workers.ts'

test('the first that ends young is replaced at once, the next after a time that doubles up to ten seconds', () => {
  const { after } = backOff()
  expect(Array.from({ length: 11 }, () => after(10))).toEqual([
    0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000,
  ])
})

test('one that lived long ends the series', () => {
  const { after } = backOff()
  after(10)
  after(10)
  expect([after(60_000), after(10), after(10)]).toEqual([0, 0, 100])
})
