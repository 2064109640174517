import { expect, test } from 'vitest'
import { isOrdered } from '../../src/kit/conformance/order.ts'

// What is known of an order without knowing the database that made it.

const texts = (...values: readonly unknown[]) => isOrdered(values, { kind: 'string', isConverted: false, isUp: true })

test('texts that every database orders alike have to be in that order', () => {
  expect([texts('Alpha', 'Beta'), texts('Beta', 'Alpha'), texts('ab', 'abc'), texts('abc', 'ab')]).toEqual([
    true,
    false,
    true,
    false,
  ])
})

test('of others nothing is said: case, numbers, signs, letters of some languages', () => {
  const pairs = [
    ['a', 'B'],
    ['10', '9'],
    ['a b', 'ab'],
    ['chata', 'dum'],
    ['aa', 'b'],
    ['ä', 'z'],
  ]
  for (const [a, b] of pairs) expect([texts(a, b), texts(b, a)]).toEqual([true, true])
})

test('what is between them does not hide two texts that are the wrong way round', () => {
  expect(texts('delta', 'ä', null, 'alpha')).toBe(false)
})

test('numbers may be texts, and instants are compared as such', () => {
  const by = (kind: 'bigint' | 'decimal' | 'datetime', ...values: readonly string[]) =>
    isOrdered(values, { kind, isConverted: false, isUp: false })
  expect([
    by('bigint', '10', '9'),
    by('bigint', '9', '10'),
    by('decimal', '10.5', '9.25', '-1'),
    by('datetime', '2024-01-01T00:00:00+02:00', '2024-01-01T00:00:00+03:00'),
    by('datetime', '2023-01-01T00:00:00Z', '2024-01-01T00:00:00Z'),
  ]).toEqual([true, false, true, true, false])
})
