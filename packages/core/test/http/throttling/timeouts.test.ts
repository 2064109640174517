import type { Context } from 'koa'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeDeadlines } from '../../../src/http/throttling.ts'

const request = (name: string): Context => ({ name }) as unknown as Context

let late: string[]
const onLate = (ctx: Context) => void late.push((ctx as unknown as { readonly name: string }).name)

beforeEach(() => {
  late = []
  vi.useFakeTimers()
})

afterEach(() => vi.useRealTimers())

test('who is still here when the time is over is late, once, and nobody else is', () => {
  const deadlines = makeDeadlines(1000, onLate)
  const first = deadlines.start(request('first'))
  vi.advanceTimersByTime(400)
  deadlines.start(request('second'))
  const third = deadlines.start(request('third'))
  vi.advanceTimersByTime(599)
  expect(late).toEqual([])
  first.end()
  vi.advanceTimersByTime(1)
  expect(late).toEqual([])
  third.end()
  vi.advanceTimersByTime(399)
  expect(late).toEqual([])
  vi.advanceTimersByTime(1)
  expect(late).toEqual(['second'])
  vi.advanceTimersByTime(5000)
  expect(late).toEqual(['second'])
  expect(vi.getTimerCount()).toBe(0)
})

test('more requests than the queue began with keep their order, and are watched after others have ended', () => {
  const deadlines = makeDeadlines(1000, onLate)
  const ended = Array.from({ length: 50 }, (_, i) => deadlines.start(request(`ended ${i}`)))
  const names = Array.from({ length: 100 }, (_, i) => `open ${i}`)
  for (const name of names.slice(0, 10)) deadlines.start(request(name))
  for (const each of ended) each.end()
  for (const name of names.slice(10)) deadlines.start(request(name))
  vi.advanceTimersByTime(1000)
  expect(late).toEqual(names)
  deadlines.start(request('after all'))
  vi.advanceTimersByTime(1000)
  expect(late).toEqual([...names, 'after all'])
})

test('a time that no timer can wait for is no limit', () => {
  const deadlines = makeDeadlines(2 ** 31, onLate)
  deadlines.start(request('patient')).end()
  expect(vi.getTimerCount()).toBe(0)
})
