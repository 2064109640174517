import type { Bound } from '@prismapi/core/database/sql-database'
import { expect, test } from 'vitest'
import { versionedCache } from '../src/queries/count-queries.ts'

function asking() {
  let version = 1
  let asked = 0
  const answers = versionedCache<number>()
  return {
    ask: (key: string, ...values: Bound[]) => answers.get(version, { key, values }, () => ++asked),
    commit: () => void version++,
  }
}

test('a question is asked once', () => {
  const { ask } = asking()
  expect([ask('a', 1), ask('a', 1), ask('a', 1)]).toEqual([1, 1, 1])
})

test('other values, and values of another type, are other questions', () => {
  const { ask } = asking()
  const answers = [
    ask('a', 1),
    ask('a', 2),
    ask('a', '1'),
    ask('a', 1n),
    ask('b', 1),
    ask('a', '1\n2'),
    ask('a', '1', '2'),
    ask('a', ['1', '2']),
    ask('a', ['1,2']),
    ask('a', ['1'], '2'),
    ask('a', [['1'], '2']),
    ask('a', [null]),
    ask('a', ['']),
    ask('a', []),
  ]
  expect(new Set(answers).size).toBe(answers.length)
})

test('nothing is known any more once somebody has committed', () => {
  const { ask, commit } = asking()
  expect(ask('a')).toBe(1)
  commit()
  expect([ask('a'), ask('a')]).toEqual([2, 2])
})

test('what failed is asked again', async () => {
  let isBroken = true
  let asked = 0
  const answers = versionedCache<number>()
  const ask = () =>
    answers.get('same', { key: 'a', values: [] }, async () => {
      asked++
      if (isBroken) throw new Error('broken')
      return asked
    })
  const results = await Promise.allSettled([ask(), ask()])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await Promise.all([ask(), ask()])).toEqual([2, 2])
})
