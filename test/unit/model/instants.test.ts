import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { dateOf, isoTextOf } from '../../../src/model/instants.ts'

const texts = [
  '2024-01-31T12:34:56.789+00:00',
  '1969-12-31T23:59:59.999+00:00',
  '0001-01-01T00:00:00.000+00:00',
  '9999-12-31T23:59:59.999+00:00',
  // What others may have written.
  '2024-02-30T00:00:00.000+00:00',
  '2024-02-29T24:00:00.000+00:00',
]

test.each(texts)('shows the same text as any date: %s', (text) => {
  expect(isoTextOf(dateOf(text))).toBe(new Date(text).toISOString())
})

test('nobody can tell it from another date', () => {
  const text = '2024-01-31T12:34:56.789+00:00'
  expect(isDeepStrictEqual(dateOf(text), new Date(text))).toBe(true)
  expect(dateOf(text)).toStrictEqual(new Date(text))
  expect(Reflect.ownKeys(dateOf(text))).toEqual([])
})

test('one that was set to another time since shows that time', () => {
  const date = dateOf('2024-01-31T12:34:56.789+00:00')
  date.setUTCFullYear(2025)
  expect(isoTextOf(date)).toBe('2025-01-31T12:34:56.789Z')
})

test('one that is none is none', () => {
  expect(Number.isNaN(dateOf('2024-13-01T00:00:00.000+00:00').getTime())).toBe(true)
})
