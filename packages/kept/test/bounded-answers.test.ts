import type { ReadyAnswer } from '@prismapi/core/http/response/respond'
import { expect, test } from 'vitest'
import { BoundedAnswers } from '../src/bounded-answers.ts'

const answer = (bytes: number): ReadyAnswer => ({
  ...{ status: 200, headers: {}, mediaType: 'application/vnd.api+json', etag: null },
  bytes: Buffer.alloc(bytes),
})

test('an answer is that of its version alone', () => {
  const answers = new BoundedAnswers(10_000)
  const first = answer(10)
  answers.keep('a', 1, first)
  expect([answers.get('a', 1), answers.get('a', 2), answers.get('b', 1)]).toEqual([first, null, null])
  const second = answer(20)
  answers.keep('a', 2, second)
  expect([answers.get('a', 1), answers.get('a', 2)]).toEqual([null, second])
})

test('those that are asked for stay, and all together have an end', () => {
  const answers = new BoundedAnswers(20_000)
  const keys = Array.from({ length: 100 }, (_, i) => `key ${i}`)
  for (const key of keys) {
    answers.keep(key, 1, answer(1000))
    answers.get('key 0', 1)
  }
  const kept = keys.filter((key) => answers.has(key))
  expect(kept).toContain('key 0')
  expect(kept).toContain('key 99')
  expect(kept.length).toBeLessThanOrEqual(13)
  expect(kept.length).toBeGreaterThan(5)
})

test('one that is longer than half of all is not kept', () => {
  const answers = new BoundedAnswers(10_000)
  answers.keep('a', 1, answer(6000))
  expect(answers.has('a')).toBe(false)
})

test('nothing is kept where nothing may be', () => {
  const answers = new BoundedAnswers(0)
  answers.keep('a', 1, answer(0))
  expect(answers.has('a')).toBe(false)
})

test('a question is asked again from the second time on', () => {
  const answers = new BoundedAnswers(10_000)
  expect([answers.isAskedAgain('a'), answers.isAskedAgain('b'), answers.isAskedAgain('a')]).toEqual([
    false,
    false,
    true,
  ])
})
